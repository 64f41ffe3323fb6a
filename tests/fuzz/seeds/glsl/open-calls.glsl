//--- fragment
#version 300 es
#define m(a)
#define a m((a)
#define b(x, y) ((x) * (y))
#define c b(
a)
precision highp float; in vec4 v; uniform float n; out vec4 color;
float pick(int k) {
    if (k == 0) return 1.0; else if (k == 1) return c 2.0, n); else if (k == 2) return c n, n); else return b(2.0, n);
}
#if a) defined(c) && defined m && b(2, 3) == 6
void main() { color = v * pick(int(n)) + c 2.0, n); }
#endif
