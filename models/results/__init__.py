"""Shipped results of a real model: numbers, curves paired by text, shares of keys."""
