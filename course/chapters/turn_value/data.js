// Written by scripts/course_data.py.
export default {
  shared: {"numbers":512,"turned":64,"base":10000},
  latent: {"numbers":512,"turned":64,"heads":128},
};
