"""What all chapters share: their words, the page around them, the contents, the glossary."""
