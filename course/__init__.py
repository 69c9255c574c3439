"""The course: plain pages, made without Streamlit."""
