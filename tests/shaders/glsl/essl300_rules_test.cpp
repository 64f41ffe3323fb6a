// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What ESSL 3.00 allows and forbids, one text each: fragment shaders without their first lines, vertex
// shaders without theirs, whole texts.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

const std::string kHead = "#version 300 es\nprecision highp float; precision highp int;\n";
const std::string kFragmentHead = kHead + "out vec4 o;\n";

const char* const kFragments[] = {
    "float average(vec2 a) { return (a.x + a.y) * 0.5; } void main() { o = vec4(average(vec2(1))); }",
    "vec4 textureGather(float a) { return vec4(a); } void memoryBarrier() {} void main() { memoryBarrier(); "
    "o = "
    "textureGather(1.0); }",
    "float average(float a, float b); float fma(float a, float b, float c) { return a * b + c; } float "
    "average(float a, "
    "float b) { return fma(0.5, a, 0.5 * b); } void main() { o = vec4(average(1.0, 2.0)); }",
    "uniform sampler2D s;const ivec2 c=ivec2(7,-8);void main(){o=textureOffset(s,vec2(0),c);}",
    "flat in int a;void main(){o=vec4(a);}",
    "uniform sampler2D s[2];const int i=1;void main(){o=texture(s[i],vec2(0));}",
    "precision lowp sampler3D;uniform sampler3D s;void main(){o=texture(s,vec3(0));}",
    "uniform lowp sampler3D s;void main(){o=texture(s,vec3(0));}",
    "void main(){float sin=1.0;o=vec4(sin);}",
    "float a[] = float[](1.0,2.0);void main(){o=vec4(a[1]);}",
    "const int k[2]=int[](1,2);float b[k[1]];void main(){o=vec4(b[1],b.length(),1,1);}",
    "float b[uint(3)];void main(){o=vec4(b[2]);}",
    "void main(){float a[2]=float[2](1.0,2.0),b[2]=a;o=vec4(a==b,a!=b,1,1);}",
    "float[2] f(){return float[2](1.0,2.0);}void main(){o=vec4(f()[1]);}",
    "struct S{float a;} s=S(1.0);void main(){o=vec4(s.a);}",
    "void main(){int a=0xffffffff;uint b=0xffffffffu;o=vec4(a,b,1,1);}",
    "void main(){int a=4294967295;o=vec4(a);}",
    "void main(){float f=1.0f;f=.5f+1.e3f;o=vec4(f);}",
    "void main(){gl_FragDepth=gl_FragCoord.z*0.5;o=vec4(gl_FrontFacing,gl_PointCoord,1);}",
    "void "
    "main(){o=vec4(gl_MaxVertexAttribs,gl_MaxVertexUniformVectors,gl_MaxVertexOutputVectors,gl_"
    "MaxFragmentInputVectors);o+=vec4(gl_MaxVertexTextureImageUnits,gl_MaxCombinedTextureImageUnits,gl_"
    "MaxTextureImageUnits,gl_MaxFragmentUniformVectors);o+=vec4(gl_MaxDrawBuffers,gl_MinProgramTexelOffset,"
    "gl_MaxProgramTexelOffset,1);}",
    "void main(){o=vec4(gl_DepthRange.near,gl_DepthRange.far,gl_DepthRange.diff,1);}",
    "void main(){o=vec4(1%2,5%-3,7u%2u,1);}",
    "void main(){o=vec4(1<<2u,1u<<2,3u>>1,1);ivec2 a=ivec2(1)<<uvec2(1);a=a>>1;}",
    "uniform int i;void main(){switch(i){case 0:o=vec4(1);break;default:o=vec4(0);}}",
    "void main(){do{o=vec4(1);}while(o.x<0.0);while(true){break;}for(;;){break;}}",
    "void main(){while(bool b=false){}o=vec4(1);}",
    "void f(sampler2D s){}uniform sampler2D t;void main(){f(t);o=vec4(1);}",
    "struct S{sampler2D t;float a;};uniform S s;void main(){o=texture(s.t,vec2(s.a));}",
    "void main(){float a;{float a;}o=vec4(1);}",
    "int f(){return 1;}void main(){int f=1;o=vec4(f);}",
    "void main(){mat2 m=mat2(vec3(1),1);o=vec4(m);}",
    "void main(){mat3 m=mat3(mat2x4(1));mat4x2 n=mat4x2(m);o=vec4(m[0],n[0].x);}",
    "void main(){o=mix(vec4(1),vec4(2),bvec4(true));}",
    "void main(){float x; x=1.0,o=vec4(x);}",
    "void main(){o=vec4(1)\n;}",
    "smooth in vec4 a;centroid in vec4 b;smooth centroid in vec4 c;flat centroid in vec4 d;void "
    "main(){o=a+b+c+d;}",
    "uniform highp usampler2DArray s;void main(){o=vec4(texelFetch(s,ivec3(0),0))+vec4(textureSize(s,0),1);}",
    "void main(){uvec4 u=uvec4(1);u=-u;u=~u;u+=1u;o=vec4(u);}",
    "void main(){o=vec4(isnan(1.0),isinf(1.0),1,1);}",
    "struct S{float a;vec2 b;};const S s=S(1.0,vec2(2));const float f=s.b.x;float k[int(f)];void "
    "main(){o=vec4(k[0]);}",
    "void main(){struct{float a;}s;s.a=1.0;o=vec4(s.a);}",
    "uniform struct{float a;}s;void main(){o=vec4(s.a);}",
    "void main(){float a__b=1.0;o=vec4(a__b);}",
    "void main(){highp float a=1.0;lowp int b=1;mediump uvec2 c=uvec2(1);o=vec4(a,b,c);}",
    "void main(){;o=vec4(1);;}",
    "void f(void){}void main(void){f();o=vec4(1);}",
    "void main(){o=vec4(1);return;o=vec4(0);}",
};

const char* const kWrongFragments[] = {
    "uniform sampler2D s; void main() { o = texelProjFetch(s, ivec3(1), 0); }",
    "uniform sampler2D s; void main() { o = textureGather(s, vec2(1)); }",
    "void main() { memoryBarrier(); o = vec4(1); }",
    "float texelFetch(float a) { return a; } void main() { o = vec4(texelFetch(1.0)); }",
    "vec2 textureSize(float a) { return vec2(a); } void main() { o = vec4(textureSize(1.0), 1, 1); }",
    "uniform sampler2D s;uniform ivec2 k;void main(){o=textureOffset(s,vec2(0),k);}",
    "uniform sampler2D s;void main(){o=textureOffset(s,vec2(0),ivec2(8,0));}",
    "uniform sampler2D s;void main(){o=textureOffset(s,vec2(0),ivec2(0,-9));}",
    "uniform sampler2D s;void main(){o=texelFetchOffset(s,ivec2(0),0,ivec2(8,0));}",
    "void main(){float a[3];a[3]=1.0;o=vec4(a[0]);}",
    "void main(){float a[3];a[-1]=1.0;o=vec4(a[0]);}",
    "void main(){vec3 a;a[3]=1.0;o=vec4(a[0]);}",
    "void main(){mat2x3 a;a[2]=vec3(1);o=vec4(a[0][0]);}",
    "layout(location=0) in vec4 a;void main(){o=a;}",
    "in int a;void main(){o=vec4(a);}",
    "flat in int a;void main(){a=1;o=vec4(a);}",
    "invariant in vec4 a;void main(){o=a;}",
    "in vec4 a; invariant a;void main(){o=a;}",
    "uniform sampler2D s[2];uniform int i;void main(){o=texture(s[i],vec2(0));}",
    "uniform sampler2D s[2];void main(){for(int i=0;i<2;++i)o+=texture(s[i],vec2(0));}",
    "uniform sampler3D s;void main(){o=texture(s,vec3(0));}",
    "uniform sampler2DShadow s;void main(){o=vec4(texture(s,vec3(0)));}",
    "uniform isampler2D s;void main(){o=vec4(texture(s,vec2(0)));}",
    "float sin(float x){return x;}void main(){o=vec4(1);}",
    "float sin(int x){return 1.0;}void main(){o=vec4(1);}",
    "float f(float);void main(){o=vec4(f(1.0));}",
    "float f(float x){return f(x);}void main(){o=vec4(f(1.0));}",
    "void main(){float f(float x);o=vec4(1);}",
    "void main(){gl_FragColor=vec4(1);}",
    "void main(){gl_FragData[0]=vec4(1);}",
    "uniform sampler2D s;void main(){o=texture2D(s,vec2(0));}",
    "varying vec4 v;void main(){o=v;}",
    "uniform float u=1.0;void main(){o=vec4(u);}",
    "const float u;void main(){o=vec4(u);}",
    "uniform float u;float x=u;void main(){o=vec4(x);}",
    "uniform float u;void main(){const float x=u;o=vec4(x);}",
    "layout(location=1) uniform float u;void main(){o=vec4(u);}",
    "layout(binding=1) uniform sampler2D u;void main(){o=texture(u,vec2(0));}",
    "void main(){float a[];o=vec4(1);}",
    "float a[0];void main(){o=vec4(1);}",
    "float a[-1];void main(){o=vec4(1);}",
    "uniform int n;void main(){float a[n];o=vec4(1);}",
    "float b[2][2];void main(){o=vec4(b[1][1]);}",
    "struct S{struct T{float a;} t;};void main(){o=vec4(1);}",
    "struct S{float a;};struct S{float b;};void main(){o=vec4(1);}",
    "void main(){int a=0x100000000;o=vec4(a);}",
    "void main(){uint a=4294967296u;o=vec4(a);}",
    "void main(){o=vec4(gl_MaxVaryingVectors);}",
    "void main(){o=vec4(1.0%2.0);}",
    "void main(){o=vec4(1.0&2.0);}",
    "void main(){o=vec4(1<<ivec2(1),1,1);}",
    "void main(){o=vec4(1+1u);}",
    "void main(){int i=1;float f=i;o=vec4(f);}",
    "uniform int i;void main(){switch(i){case 0:}}",
    "uniform int i;void main(){switch(i){case 0:break;case 0:break;}}",
    "uniform int i;void main(){switch(i){case 0u:break;}}",
    "uniform float i;void main(){switch(i){case 0:break;}}",
    "void main(){if(1)o=vec4(1);}",
    "void f(out const float x){}void main(){o=vec4(1);}",
    "void f(const in float x){x=1.0;}void main(){o=vec4(1);}",
    "void f(out sampler2D s){}void main(){o=vec4(1);}",
    "sampler2D t;void main(){o=vec4(1);}",
    "struct S{sampler2D t;float a;};uniform S s;void main(){S k=s;o=vec4(1);}",
    "int main(){return 1;}",
    "void main(int x){}",
    "void f(){}void f(){}void main(){o=vec4(1);}",
    "float f(){return 1.0;}int f(){return 1;}void main(){o=vec4(1);}",
    "float a;float a;void main(){o=vec4(1);}",
    "void f(float a){float a;}void main(){o=vec4(1);}",
    "void main(){for(int i=0;i<1;++i){int i=1;}o=vec4(1);}",
    "void main(){vec4 a=vec4(1);a.xx=vec2(1);o=a;}",
    "void main(){o=vec4(1).xyzw.rgba.stpq.xyzr;}",
    "void main(){o=vec4(1,2);}",
    "void main(){o=vec4(vec4(1),2);}",
    "void main(){mat3 m=mat3(mat2(1),1);o=vec4(1);}",
    "void main(){ivec2 i=mix(ivec2(1),ivec2(2),bvec2(true));o=vec4(i,1,1);}",
    "const float c=(1.0,2.0);void main(){o=vec4(c);}",
    "noperspective in vec4 a;void main(){o=a;}",
    "flat smooth in vec4 a;void main(){o=a;}",
    "in smooth vec4 a;void main(){o=a;}",
    "void main(){bool b=true;b=-b;}",
    "void main(){float _a=1.0,gl_x=1.0;o=vec4(_a);}",
    "float f(){return;}void main(){o=vec4(f());}",
    // A block with the name of a function: of the shader, of a built-in one, inside a function.
    "float f(){return 1.0;}uniform f{vec4 a;};void main(){o=a;}",
    "uniform sin{vec4 a;};void main(){o=sin(a);}",
    "uniform texture{vec4 a;}b[2];void main(){o=b[0].a;}",
    "void main(){uniform main{vec4 a;};o=a;}",
};

const char* const kVertices[] = {
    "layout(location=3) in mat4 a;void main(){gl_Position=a[0];}",
    "flat out int a;void main(){a=1;}",
    "struct S{float a;mat3 b;};out S a;void main(){a.a=1.0;a.b=mat3(1);}",
    "struct S{int a;};flat out S a;void main(){a.a=1;}",
    "invariant centroid out vec4 a;void main(){a=vec4(1);}",
    "out vec4 a;invariant a;invariant gl_Position;void main(){a=vec4(1);}",
    "void main(){gl_Position=vec4(gl_VertexID,gl_InstanceID,0,1);gl_PointSize=1.0;}",
};

const char* const kWrongVertices[] = {
    "in bool a;void main(){gl_Position=vec4(a);}",
    "struct S{vec4 a;};in S a;void main(){gl_Position=a.a;}",
    "in vec4 a[2];void main(){gl_Position=a[0];}",
    "flat in vec4 a;void main(){gl_Position=a;}",
    "centroid in vec4 a;void main(){gl_Position=a;}",
    "out int a;void main(){a=1;}",
    "flat out bool a;void main(){a=true;}",
    "out vec4 a[2][2];void main(){}",
    "struct S{float a;};out S a[2];void main(){a[0].a=1.0;}",
    "struct S{float a[2];};out S a;void main(){a.a[0]=1.0;}",
    "struct T{float a;};struct S{T a;};out S a;void main(){a.a.a=1.0;}",
    "struct S{int a;};out S a;void main(){a.a=1;}",
    "layout(location=0) out vec4 a;void main(){a=vec4(1);}",
    "attribute vec4 v;void main(){gl_Position=v;}",
    "void main(){gl_Position=vec4(dFdx(1.0));}",
    "void main(){gl_Position=gl_FragCoord;}",
    "void main(){gl_VertexID=1;}",
    "void main(){discard;}",
    "uniform sampler2D s;void main(){gl_Position=texture(s,vec2(0),1.0);}",
};

const char* const kTexts[] = {
    "#version 300 es\nprecision highp float;precision highp int;\nlayout(location=6) out vec4 a[2];void "
    "main(){a[0]=a[1]=vec4(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nout uvec3 a;void main(){a=uvec3(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nout float a;void main(){a=1.0;}",
    "#version 300 es\nprecision highp float;precision highp int;\nout vec4 a[3];void main(){a[0]=vec4(1);}",
    "#version 300 es\n#extension GL_EXT_shader_integer_mix : require\nprecision highp float;out vec4 o;void "
    "main(){ivec2 i=mix(ivec2(1),ivec2(2),bvec2(true));uint u=mix(1u,2u,true);bool "
    "b=mix(true,false,true);o=vec4(i,u,b);}",
    "#version 300 es\n#extension GL_OES_EGL_image_external_essl3 : require\nprecision highp float;out vec4 "
    "o;uniform samplerExternalOES s;void "
    "main(){o=texture(s,vec2(0))+texelFetch(s,ivec2(0),0)+vec4(textureSize(s,0),1,1)+textureProj(s,vec3(1));"
    "}",
    "#version 300 es\n#extension GL_FOO_bar : enable\nvoid main(){}",
    "#version 300 es\n#extension all : warn\nvoid main(){}",
    "#version 300 es\n#ifdef GL_OES_standard_derivatives\n#endif\n#if GL_ES != 1 || __VERSION__ != 300 || "
    "!defined(GL_FRAGMENT_PRECISION_HIGH)\n#error\n#endif\nvoid main(){}",
};

const char* const kWrongTexts[] = {
    "#version 300 es\nprecision highp float;precision highp int;\nlayout(location=0) out vec4 "
    "a;layout(location=0) out vec4 b;void main(){a=b=vec4(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nlayout(location=0) out vec4 "
    "a[2];layout(location=1) out vec4 b;void main(){a[0]=a[1]=b=vec4(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nout mat2 a;void main(){a=mat2(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nout bool a;void main(){a=true;}",
    "#version 300 es\nprecision highp float;precision highp int;\nstruct S{vec4 a;};out S a;void "
    "main(){a.a=vec4(1);}",
    "#version 300 es\nprecision highp float;precision highp int;\nout vec4 a[2][2];void main(){}",
    "#version 300 es\nprecision highp float;precision highp int;\nout vec4 a[3];uniform int i;void "
    "main(){a[i]=vec4(1);}",
    "#version 300 es\nout vec4 o;void main(){o=vec4(1);}",
    "#version 300 es\nout mediump vec4 o;void main(){float x=1.0;o=vec4(1);}",
    "#version 300 es\nprecision highp uint;void main(){}",
    "#version 300 es\nprecision highp bool;void main(){}",
    "#version 300 es\nprecision highp vec2;void main(){}",
    "#version 300 es\n#extension GL_OES_EGL_image_external : require\nprecision highp float;out vec4 "
    "o;uniform samplerExternalOES s;void main(){o=texture(s,vec2(0));}",
    "#version 300 es\n#extension GL_FOO_bar : require\nvoid main(){}",
    "#version 300 es\n#extension all : enable\nvoid main(){}",
    "#version 300\nvoid main(){}",
    "#version 100 es\nvoid main(){}",
    "#version 310 es\nvoid main(){}",
};

void check(std::span<const char* const> list, const std::string& head, ir::Stage stage, bool compiles) {
    for (const char* const text : list) {
        const CompileResult r = compile(head + text, test::options(stage, 300));
        CAPTURE(text);
        CAPTURE(r.log);
        CHECK(bool(r.shader) == compiles);
        CHECK((r.log.find("ERROR") == std::string::npos) == compiles);
    }
}

}  // namespace

TEST_CASE("essl 3.00: rules of fragment shaders") {
    check(kFragments, kFragmentHead, ir::Stage::Fragment, true);
    check(kWrongFragments, kFragmentHead, ir::Stage::Fragment, false);
}

TEST_CASE("essl 3.00: rules of vertex shaders") {
    check(kVertices, kHead, ir::Stage::Vertex, true);
    check(kWrongVertices, kHead, ir::Stage::Vertex, false);
}

TEST_CASE("essl 3.00: texts with their own first lines") {
    check(kTexts, "", ir::Stage::Fragment, true);
    check(kWrongTexts, "", ir::Stage::Fragment, false);
}
