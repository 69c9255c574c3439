"""The parts that all pages share: words, the document around them, contents, glossary."""
