// Opens a plain page of the site, which is none of Streamlit's.

/** @param {{ data: { href: string } }} component */
export default ({ data }) => location.assign(data.href);
