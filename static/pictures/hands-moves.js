// What a reader does with two hands: goes to places, plays, adds pairs up one by one.

import { changed } from "./life.js";
import { clamp } from "./tools.js";

const BEAT = 700; // ms between two steps of the player

export function go(picture, change) {
  const { want, data } = picture;
  Object.assign(want, change);
  want.m = clamp(want.m, 0, data.length - 1);
  want.n = clamp(want.n, 0, want.m);
  changed(picture);
}

export function both(picture, by) {
  const { want, data } = picture;
  const shift = clamp(by, -want.n, data.length - 1 - want.m);
  go(picture, { m: want.m + shift, n: want.n + shift });
}

export function play(picture) {
  picture.playing = setInterval(() => {
    const { want, data } = picture;
    both(picture, want.m < data.length - 1 ? 1 : -want.n);
  }, BEAT);
  both(picture, 1);
  picture.buttons.play.textContent = picture.words.pause;
}

export function stop(picture) {
  clearInterval(picture.playing);
  picture.playing = 0;
  picture.buttons.play.textContent = picture.words.play;
}

export function addUp(picture) {
  clearInterval(picture.adding);
  picture.upto = 1;
  changed(picture);
  const pause = Math.min(600, 4000 / picture.data.pairs);
  picture.adding = setInterval(() => {
    if (picture.upto >= picture.data.pairs) return clearInterval(picture.adding);
    picture.upto += 1;
    changed(picture);
  }, pause);
}
