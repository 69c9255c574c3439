// The second position counts on, as an odometer does, until it is stopped.

import { changed } from "./life.js";

const BEAT = 900; // ms between two steps

export function play(picture) {
  const on = () => {
    picture.want.b = (picture.want.b + 1) % picture.data.length;
    changed(picture);
  };
  picture.playing = setInterval(on, BEAT);
  picture.player.textContent = picture.words.pause;
  on();
}

export function stop(picture) {
  clearInterval(picture.playing);
  picture.playing = 0;
  picture.player.textContent = picture.words.play;
}
