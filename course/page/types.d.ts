// What the modules of the course hand to each other.

import type { DirectiveResult, TemplateResult } from "./lit/lit.js";

/** The numbers of a picture; what is no number changes at once when the picture moves. */
export type State = Record<string, any>;

/** A question that is committed to before the picture answers it. Texts are HTML. */
export interface Guess {
  question: string;
  /** To choose from; empty where the reader points at something in the picture. */
  options: string[];
  /** Index of the right option; -1 where the picture judges. */
  right: number;
  /** What is so; shown once the picture has moved there. */
  reveal: string;
  /** Why each wrong option is wrong, in their order. */
  wrong: string[];
}

/** One idea, as Python compiles it from a lesson. Texts are HTML. */
export interface Step {
  id: string;
  title: string;
  text: string;
  guess: Guess | null;
  /** What the reader is asked to reach; "" without. */
  task: string;
  /** What is said once it is reached. */
  reached: string;
  /** Address of the screen on which one explores the same, from the root of the site. */
  explore: string;
}

export interface Way {
  title: string;
  href: string;
}

export interface Chapter {
  id: string;
  title: string;
  /** Of its words: as that language they are counted. */
  language: string;
  /** Of thousands and of decimals. */
  separators: [string, string];
  steps: Step[];
  /** What the picture itself says, by name; `[[score]]` in it is a number of the picture. */
  labels: Record<string, string>;
  /** The same for the course. */
  words: Record<string, string>;
  terms: Record<string, { term: string; text: string }>;
  ways: {
    before: Way | null;
    after: Way | null;
    contents: Way | null;
    homework: Way | null;
    explore: Way | null;
    add: Way | null;
  };
}

/** What a step is in the picture. */
export interface PictureStep {
  /** Numbers of the state; all others are those of `start`. */
  at?: State;
  /** Marks that are lit beside those that the words name. */
  also?: string[];
  /** Where the picture moves when the guess is made. */
  after?: State;
  /** Milliseconds of that; 1200 if not said. */
  slow?: number;
  /** False where the sum by hand has nothing to do with the step. */
  byHand?: boolean;
  /** What the step has seen when it opens. */
  seen?: any[];
  /** Whether what was pointed at is right, for a guess without options. */
  isRight?: (state: State) => boolean;
  /** Whether the task is reached; asked when the hand rests. */
  goal?: (state: State, seen: Set<any>) => boolean;
  /** Whether the numbers in what is said then go on with the picture. */
  follows?: boolean;
}

/** The sentence that every chapter carries to the softmax, in its encoding. */
export interface ByHand {
  /** Where the encoding sees each word; empty where words have no place. */
  places: number[];
  scores: number[];
  /** Numbers of the label `by_hand`. */
  values?: (number: Stage["number"]) => Record<string, string>;
}

/** A picture of the course: `picture.js` of a chapter. */
export interface Picture {
  /** Every number of its state, where nothing else is said. */
  start: State;
  /** By the ids of the lesson's steps. */
  steps: Record<string, PictureStep>;
  /** Numbers for the words, by name: what `[[name]]` says. */
  told: Record<string, (state: State, stage: Stage) => string>;
  /** Name of the label that says the state to those who do not see it. */
  spoken: (state: State) => string;
  /** Settings of the screen that a hand changes, by name: Explore opens it with them. */
  explored?: (state: State) => Record<string, number>;
  /** The same sentence as in all chapters, where the chapter has an encoding. */
  byHand?: ByHand;
  /** What it returns declares what is drawn of a state, sixty times a second. */
  build: (stage: Stage) => (state: State, box: Box) => TemplateResult;
}

/** Room of a picture in pixels. */
export interface Box {
  width: number;
  height: number;
  isPhone: boolean;
}

/** Red, green, blue. */
export type Colour = [number, number, number];

export type Attributes = Record<string, string | number | undefined>;

/** What can be dragged, and moved by keys. */
export interface Handle {
  label: string;
  /** By how much a key asks: 1 or -1, more with Shift, by pages and on the way to an end. */
  /** By how many presses; `isUp` where these are of the keys up and down. */
  keys: (by: number, isUp: boolean) => void;
  /** Where the pointer is, in pixels of the picture, and what `start` has returned. */
  move?: (at: [number, number], begun: any) => void;
  start?: (at: [number, number]) => any;
  end?: () => void;
}

/** A slider, as it is in a frame. */
export interface Grip extends Handle {
  now: number;
  min: number;
  max: number;
  /** What it says instead of the number. */
  text?: string;
  /** How far the keys of pages go. */
  page?: number;
  /** Goes to the first value, -1, or the last, 1; without it keys go on until it is reached. */
  toEnd?: (side: number) => void;
  /** While it can neither be dragged nor focused; no slider can while a question waits. */
  isOff?: boolean;
  /** Except those that are moved before it is answered. */
  isFree?: boolean;
  /** Where another slider has the same keys: it is dragged alone. */
  isMute?: boolean;
}

export interface Stage {
  svg: SVGSVGElement;
  state: State;
  /** Id of the step that is shown. */
  step: () => string;
  /** What a step has seen, for its goal; emptied when a step opens. */
  seen: Set<any>;
  /** While a question waits for its answer. */
  isGuessing: () => boolean;
  /** Change the state at once: a hand moves it. */
  set: (values: State) => void;
  /** Let the state move there. */
  move: (values: State, ms?: number) => void;
  /** A label with its numbers; those that are given go before those of the picture. */
  say: (name: string, values?: Record<string, string | number>) => string;
  /** A number in the reader's language, with a minus sign that is one. */
  number: (value: number, digits?: number) => string;
  /** Makes a slider of the element in whose tag it stands. */
  handle: (grip: Grip) => DirectiveResult;
  /** Makes what is pressed of it: by a hand, Enter or the space bar. */
  button: (choose: () => void) => DirectiveResult;
  /** A canvas behind the drawing, as large as the picture; for thousands of marks. */
  canvas: (marks?: string) => HTMLCanvasElement;
  /** What reads colours of the page, given in CSS, as they are now. */
  colours: (all: string[]) => () => Colour[];
  /** Pixels of that canvas for each of the picture. */
  dense: () => number;
  /** Makes the canvas as large as the picture, and empty. */
  clear: (ink: CanvasRenderingContext2D, box: { width: number; height: number }) => void;
}
