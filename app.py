"""Navigation and page setup, nothing else."""

import streamlit as st

st.set_page_config(page_title="Positional encodings", layout="wide")
st.title("Positional encodings")
