//--- vertex
#version 300 es
in vec4 position; out vec4 v;
void main() { gl_Position = v = position; }
//--- fragment
#version 300 es
#extension GL_EXT_texture_shadow_lod : require
precision highp float; precision highp sampler2DArrayShadow; precision highp samplerCubeShadow;
#define LOD(s, l) textureLod(s, v, l)
uniform sampler2DArrayShadow a; uniform samplerCubeShadow c; uniform sampler2D s; in vec4 v; out vec4 o;
void main() {
    o = vec4(texture(a, v, v.x), textureOffset(a, v, ivec2(-8, 7), v.y), LOD(a, 1.0), LOD(c, v.z)) +
        textureOffset(s, v.xy, ivec2(1)) + textureLodOffset(a, v, 0.5, ivec2(2, -3));
}
