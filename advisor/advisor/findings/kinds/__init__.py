"""Findings about kinds of models: drafts, quantised ones, ChatGLM, those of several networks."""
