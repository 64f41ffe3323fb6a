//--- vertex
#version 320 es
in vec4 position; out vec4 v_color; flat out ivec2 v_kind;
void main() { gl_Position = position; v_color = position.wzyx; v_kind = ivec2(gl_VertexID, gl_InstanceID + 1); }
//--- geometry
#version 320 es
layout(triangles, invocations = 2) in; layout(triangle_strip, max_vertices = 8) out;
in vec4 v_color[]; flat in ivec2 v_kind[]; uniform mat4 turn; uniform int copies; uniform sampler2D tex;
out vec3 normal; out vec2 uv; flat out ivec3 id; float lift(int i, vec4 p) { return p.x * float(i) + v_color[i % 3].y; }
void main() {
    for (int n = 0; n < min(copies, 2); ++n) {
        for (int i = 0; i < gl_in.length(); ++i) {
            vec4 p = turn * gl_in[i].gl_Position; p.y += lift(i, p) * textureLod(tex, p.xy, 0.0).x;
            if (v_kind[i].x > 100 && n == 1) continue;
            normal = cross(p.xyz, v_color[n].xyz); uv = gl_in[2 - i].gl_Position.xy; id = ivec3(v_kind[i], gl_InvocationID);
            gl_Position = p + gl_in[(i + 1) % 3].gl_Position * 0.25; gl_Layer = n; gl_PrimitiveID = gl_PrimitiveIDIn + i; EmitVertex();
        }
        EndPrimitive();
    }
}
//--- fragment
#version 320 es
precision highp float; in vec3 normal; in vec2 uv; flat in ivec3 id; out vec4 color;
void main() { color = vec4(normal, uv.x) + float(id.z + gl_PrimitiveID + gl_Layer) * 0.1; }
