// Written by scripts/course_data.py.
export default {
  models: [{"name":"Qwen3-Next","layers":48,"full":[4,8,12,16,20,24,28,32,36,40,44,48],"turned":0.25},{"name":"Kimi Linear","layers":27,"full":[4,8,12,16,20,24,27],"turned":0}],
  directions: 128,
  mixed: 4,
};
