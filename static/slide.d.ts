/** Saves a drawing as a slide; `title` stands above it, `name` is the file's. */
export function saveSlide(drawing: SVGSVGElement, title: string, name: string): Promise<void>;
