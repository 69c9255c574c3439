export { noChange, nothing, render, svg } from "lit-html";
export { Directive, directive } from "lit-html/directive.js";
export { guard } from "lit-html/directives/guard.js";
export type { TemplateResult } from "lit-html";
export type { DirectiveResult } from "lit-html/directive.js";
