"""What every screen shares in Streamlit."""
