"""Streamlit code that all screens share."""
