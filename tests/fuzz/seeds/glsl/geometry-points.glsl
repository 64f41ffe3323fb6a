//--- vertex
#version 310 es
#extension GL_EXT_geometry_shader : require
in vec4 position; out Block { vec4 a; mat2 m[2]; } to_geometry;
void main() { gl_Position = position; gl_PointSize = 2.0; to_geometry.a = position; to_geometry.m[0] = mat2(position); to_geometry.m[1] = mat2(2.0); }
//--- geometry
#version 310 es
#extension GL_EXT_geometry_shader : require
#extension GL_EXT_geometry_point_size : enable
layout(points) in; layout(line_strip, max_vertices = 20) out; in Block { vec4 a; mat2 m[2]; } from_vertex[]; out vec4 g_color;
layout(std430, binding = 0) buffer Seen { uint count; vec4 places[]; }; layout(binding = 1) uniform atomic_uint counter;
void main() {
    uint n = atomicAdd(count, 1u) & 7u; vec4 p = gl_in[0].gl_Position; int left = 20;
    while (left-- > 0) {
        p.xy = from_vertex[0].m[left & 1] * p.xy * 0.9 + sin(float(left)); g_color = from_vertex[0].a * p.x; gl_Position = p; EmitVertex();
        if (left % 5 == 0) EndPrimitive();
        if (p.x > 50.0) return;
    }
    places[n] = p * float(atomicCounterIncrement(counter));
}
//--- fragment
#version 310 es
precision mediump float; in vec4 g_color; layout(location = 0) out vec4 color;
void main() { if (g_color.x < -4.0) discard; color = g_color; }
