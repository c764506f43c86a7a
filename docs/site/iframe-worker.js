/* A page that was opened from a folder may start no worker: browsers forbid it. The search of the site runs in one.
   Here a hidden frame of the same page takes its place; its interface is that of Worker as far as the search uses it. */
(function () {
  "use strict";
  if (location.protocol !== "file:") return;
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.appendChild(this.frame);
      const inner = this.frame.contentWindow;
      inner.addEventListener("error", (event) => this.told("error", new ErrorEvent("error", { message: event.message })));
      inner.postMessage = (data) => this.told("message", new MessageEvent("message", { data }));
      inner.importScripts = (...urls) =>
        urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve());
      this.load(new URL(url, location.href).href).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      });
    }
    load(url) {
      const inner = this.frame.contentDocument;
      return new Promise((done, failed) => {
        const script = inner.createElement("script");
        script.src = url;
        script.onload = done;
        script.onerror = failed;
        inner.body.appendChild(script);
      });
    }
    told(kind, event) {
      setTimeout(() => {
        this.dispatchEvent(event);
        if (typeof this["on" + kind] === "function") this["on" + kind](event);
      });
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
})();
