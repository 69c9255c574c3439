// Runs in Streamlit's page before its own scripts, and sees to it that pictures come first.

// Where the server is: where this page's own files are.
window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };
{
  const TOGETHER = 100; // ms in which messages are gathered, so that an answer is drawn once
  const LONGEST_WAIT = 2000; // ms for a picture that is never painted
  const { send, addEventListener: listen } = WebSocket.prototype;

  // The first message asks for the screen; while the server draws it, there is time for plotly.
  WebSocket.prototype.send = function (message) {
    WebSocket.prototype.send = send;
    this.send(message);
    const chart = document.querySelector("[data-chart]");
    if (chart) setTimeout(() => import(chart.href));
  };

  WebSocket.prototype.addEventListener = function (type, hear, ...options) {
    if (type !== "message") return listen.call(this, type, hear, ...options);
    const { take, handOn } = sorter(hear.bind(this));
    listen.call(this, "close", handOn);
    listen.call(this, type, take, ...options);
  };

  // What comes from the server, in its order but not at its pace.
  function sorter(hear) {
    let messages = [];
    let page = "";
    let awaits = false; // the first picture of the page
    let isHeld = false; // until that is painted, nothing behind it is drawn
    let isAhead = false; // charts are drawn already
    let timer;

    function handOn() {
      clearTimeout(timer);
      timer = undefined;
      isHeld = isAhead = false;
      for (const message of messages.splice(0)) hear(message);
    }

    function take(message) {
      messages.push(message);
      if (isHeld) return;
      const { newPage, picture, isEnd } = read(new Uint8Array(message.data));
      if (newPage && newPage !== page) {
        page = newPage;
        awaits = true;
        handOn();
      } else if (picture && awaits) {
        awaits = false;
        handOn();
        isHeld = true;
        timer = setTimeout(handOn, LONGEST_WAIT);
      } else if (isEnd) {
        if (isAhead) requestAnimationFrame(() => setTimeout(handOn)); // when they are painted
        else handOn();
      } else {
        const data = picture && new CustomEvent("posenc-data", { detail: picture, cancelable: true });
        if (data && !dispatchEvent(data)) isAhead = true;
        timer ??= setTimeout(handOn, TOGETHER);
      }
    }

    addEventListener("posenc-painted", () => isHeld && handOn());
    return { take, handOn };
  }

  // Of Streamlit's messages (its protobuf files number the parts): which page begins, which picture
  // comes with which data, whether the script has ended.
  const NAVIGATION = 23, PAGE = 4;
  const COMPONENT = [5, 3, 59], [ID, NAME, DATA] = [1, 2, 12];
  const ENDED = [0x4a, 0];
  const text = (bytes) => new TextDecoder().decode(bytes);

  function read(message) {
    const newPage = text(part(part(message, NAVIGATION), PAGE));
    const component = COMPONENT.reduce(part, message);
    const isPicture = ["posenc_chart", "posenc_moving"].includes(text(part(component, NAME)));
    // "$$ID-hash-key", whose key may have such lines too
    const key = isPicture && text(part(component, ID)).split("-").slice(2).join("-");
    return {
      newPage,
      picture: isPicture ? { key, data: part(component, DATA) } : null,
      isEnd: message.length === 2 && message.every((byte, at) => byte === ENDED[at]),
    };
  }

  // The bytes of a message's part; none where it has no such part.
  function part(bytes, wanted) {
    let at = 0;
    const number = () => {
      let value = 0;
      for (let times = 1; ; times *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * times;
        if (!(byte > 127)) return value;
      }
    };
    while (at < bytes.length) {
      const tag = number(), kind = tag & 7;
      const size = kind === 2 ? number() : [0, 8, 0, 0, 0, 4][kind];
      if (kind === 0) number();
      if (kind === 2 && tag >> 3 === wanted) return bytes.subarray(at, at + size);
      at += size;
    }
    return new Uint8Array();
  }
}
