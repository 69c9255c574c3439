"""Servers beside vLLM and SGLang."""
