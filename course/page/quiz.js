// Ten questions: each answer gets its reason at once; the answers stand in the address.

import { told } from "./words.js";

/** @type {{ screens: { id: string, title: string }[], words: Record<string, string> }} */
const { screens, words } = JSON.parse(document.querySelector("#quiz-data")?.textContent ?? "");
const questions = [...document.querySelectorAll(".quiz > ol > li")];
const result = /** @type {HTMLElement} */ (document.querySelector(".result"));
const NONE = "-";

/** @param {Element} question */
const chosen = (question) =>
  /** @type {HTMLInputElement | null} */ (question.querySelector("input:checked"));

/** @param {Element} question */
const isRight = (question) => chosen(question)?.hasAttribute("data-right") ?? false;

function write() {
  for (const question of questions)
    for (const why of /** @type {NodeListOf<HTMLElement>} */ (question.querySelectorAll(".why"))) {
      const input = /** @type {HTMLInputElement} */ (why.parentElement?.querySelector("input"));
      why.hidden = !input.checked;
      const verdict = input.hasAttribute("data-right") ? words.right : words.wrong;
      if (!why.querySelector("b"))
        why.prepend(Object.assign(document.createElement("b"), { textContent: `${verdict} ` }));
    }
  const answered = questions.filter(chosen);
  const values = {
    right: questions.filter(isRight).length,
    answered: answered.length,
    count: questions.length,
  };
  const isAll = answered.length === questions.length;
  result.textContent = answered.length ? told(isAll ? words.all : words.some, values) : "";
  const missed = new Map(
    questions.flatMap((one, at) => (isRight(one) ? [] : [[screens[at].id, screens[at].title]])),
  );
  if (!isAll || !missed.size) return;
  result.append(` ${words.again}`);
  for (const [id, title] of missed)
    result.append(
      " ",
      Object.assign(document.createElement("a"), { href: `course/${id}/`, textContent: title }),
    );
}

function keep() {
  const given = questions.map((one) => chosen(one)?.value ?? NONE).join("");
  const url = new URL(location.href);
  url.searchParams.set("given", given);
  history.replaceState(null, "", url);
}

const given = new URLSearchParams(location.search).get("given") ?? "";
questions.forEach((question, at) => {
  for (const input of question.querySelectorAll("input")) input.checked = input.value === given[at];
});
document.addEventListener("change", () => {
  write();
  keep();
});
write();
