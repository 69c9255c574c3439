"""Values that all sessions share, each made once, a few of them kept."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class SharedValues(Generic[Value]):
    """The values last asked for; who asks for one that is being made waits for it.

    Making may end early (a visitor who moves on): then nothing is kept, and the next one who waits
    makes the value. Streamlit's own caches do not fit: they replay what is drawn while a value is
    made, and a bar of progress cannot be replayed.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made where it is not kept."""
        with self._lock:
            making = self._making.setdefault(key, Lock())
        with making:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key]
            value = make()
            with self._lock:
                self._values[key] = value
                while len(self._values) > self._most:
                    old, _ = self._values.popitem(last=False)
                    self._making.pop(old, None)
        return value
