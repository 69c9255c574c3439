// Runs in Streamlit's page before its own scripts, and sees to it that pictures come first.

// Where the server is: where this page's own files are.
window.__streamlit = { BACKEND_BASE_URL: new URL("./", location.href).href };
// In a frame, a screen that orders or ends something is asked of the server, which lets no other
// page frame it: Streamlit would draw it where a page of this machine, or of this site, hides it.
if (top !== window) {
  for (const name of ["pushState", "replaceState"]) {
    const change = history[name];
    history[name] = function (state, title, url = location.href) {
      const place = new URL(url, location.href);
      if (place.pathname === location.pathname || !/\/(lab|own)$/.test(place.pathname)) {
        return change.call(this, state, title, url);
      }
      location.replace(place);
    };
  }
}
{
  const TOGETHER = 250; // ms in which messages are gathered, so that an answer is drawn once
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
    const { take, handAllOn } = sorter(hear.bind(this));
    listen.call(this, "close", handAllOn);
    listen.call(this, type, take, ...options);
  };

  // What comes from the server, in its order but not at its pace.
  function sorter(hear) {
    let messages = [];
    let page = "";
    let awaits = false; // the first picture of the page
    let folds = []; // paths of what stands closed before it: nobody sees what is in there yet
    let isHeld = false; // until that picture is painted, nothing behind it is drawn
    let unseen = 0; // charts that are drawn already, and on no screen yet
    let isWhole = false; // the answer, which waits for them
    let timer;

    function handOn() {
      clearTimeout(timer);
      timer = undefined;
      isHeld = isWhole = false;
      const waits = ({ isFolded }) => awaits && isFolded;
      const ready = messages.filter((entry) => !waits(entry));
      messages = messages.filter(waits);
      for (const { message } of ready) hear(message);
    }

    function handAllOn() {
      awaits = false;
      handOn();
    }

    function awaitFrames() {
      unseen += 1;
      const seen = () => {
        unseen -= 1;
        if (isWhole && !unseen) handOn();
      };
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen)));
    }

    function take(message) {
      if (isHeld) return messages.push({ message });
      const { path, newPage, isFold, picture, isEnd } = read(new Uint8Array(message.data));
      const isFolded = awaits && folds.some((fold) => isWithin(path, fold));
      messages.push({ message, isFolded });
      if (isFolded) return;
      if (newPage && (awaits || newPage !== page)) {
        handAllOn();
        page = newPage;
        folds = [];
        awaits = true;
      } else if (picture && awaits) {
        handOn();
        awaits = false;
        isHeld = true;
        timer = setTimeout(handOn, LONGEST_WAIT);
      } else if (isEnd) {
        awaits = false;
        isWhole = unseen > 0;
        if (isWhole) timer ??= setTimeout(handOn, TOGETHER);
        else handOn();
      } else {
        if (awaits && isFold) folds.push(path);
        const data = picture && new CustomEvent("posenc-data", { detail: picture, cancelable: true });
        if (data && !dispatchEvent(data)) awaitFrames();
        timer ??= setTimeout(handOn, TOGETHER);
      }
    }

    addEventListener("posenc-painted", () => isHeld && handOn());
    return { take, handAllOn };
  }

  // Of Streamlit's messages (its protobuf files number the parts): where it belongs, which page
  // begins, whether something closed does, which picture comes with which data, whether the script
  // has ended.
  const PATH = [2, 2];
  const NAVIGATION = [23, 4];
  const FOLD = [5, 6, 4], OPEN = 2;
  const COMPONENT = [5, 3, 59], [ID, NAME, DATA] = [1, 2, 12];
  const ENDED = [0x4a, 0];
  const text = (bytes) => new TextDecoder().decode(bytes);

  function read(message) {
    const newPage = text(NAVIGATION.reduce(part, message));
    const fold = FOLD.reduce(part, message);
    const component = COMPONENT.reduce(part, message);
    const isPicture = ["posenc_chart", "posenc_moving"].includes(text(part(component, NAME)));
    // "$$ID-hash-key", whose key may have such lines too
    const key = isPicture && text(part(component, ID)).split("-").slice(2).join("-");
    return {
      path: PATH.reduce(part, message),
      newPage,
      isFold: fold.length > 0 && !part(fold, OPEN)[0],
      picture: isPicture ? { key, data: part(component, DATA) } : null,
      isEnd: message.length === 2 && message.every((byte, at) => byte === ENDED[at]),
    };
  }

  const isWithin = (path, outer) =>
    path.length > outer.length && outer.every((byte, at) => byte === path[at]);

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
      const from = at;
      if (kind === 0) number();
      at += size;
      if (tag >> 3 === wanted) return bytes.subarray(from, at);
    }
    return new Uint8Array();
  }
}
