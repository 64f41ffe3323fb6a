// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mutated shader texts through the API: compiled, linked (which makes machine code), and drawn with.
//   fuzz_shaders [--count N] [--seed N]
// Nothing may crash, hang or leak. Every text has a seed of its own: `--seed SEED --count 1` repeats it. A
// text that takes longer than 60 s counts as a hang: the watchdog stops endless loops much earlier.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fuzz/mutator.h"

namespace {

constexpr unsigned kPatience_s = 60;
constexpr uint64_t kRound = 1000;  // texts a context

const fuzz::ShaderText kSeeds[] = {
    {false, R"(#extension GL_OES_standard_derivatives : enable
precision mediump float;
struct Light { vec3 position; vec4 color[2]; };
uniform Light lights[2]; uniform sampler2D tex; uniform samplerCube cube; varying vec3 normal; varying vec2 uv;
const vec2 kOffset = vec2(0.5, 0.25);
float shade(in vec3 n, const Light l, inout vec4 sum) {
    float d = max(dot(normalize(n), normalize(l.position)), 0.0);
    if (d < 0.1) return 0.0;
    for (int i = 0; i < 2; ++i) { if (i == 1 && d > 0.9) continue; sum += l.color[i] * d; }
    return d;
}
void main() {
    vec4 sum = vec4(0.0); float n = 0.0;
    int i = 0;
    while (i < 2) { n += shade(normal, lights[i], sum); i++; }
    do { n -= 0.25; } while (n > 1.0);
    if (sum.a < 0.01 || n < -1.0) discard;
    mat3 m = mat3(1.0); m[1].xy *= mat2(uv, kOffset);
    gl_FragColor = (n > 0.5 ? texture2D(tex, uv + dFdx(uv)) : textureCube(cube, m * normal)) + sum.zyxw;
}
)"},
    {true, R"(attribute vec4 position; attribute vec3 direction; attribute mat2 extra;
uniform mat4 mvp; uniform mat4 bones[4]; uniform ivec2 which; uniform bool flip; uniform sampler2D tex;
varying vec3 normal; varying vec2 uv; invariant gl_Position;
vec4 skin(vec4 p) { vec4 r = vec4(0.0); for (int i = 0; i < 4; i++) r += bones[i] * p; return r / float(4); }
void main() {
    vec4 p = skin(position);
    float w[3]; w[0] = p.x; w[1] = p.y; w[2] = p.z;
    p[which.x] = w[which.y]; p.w = flip ? 1.0 : mix(p.x, p.y, 0.5);
    normal = reflect(direction, p.xyz); uv = extra * p.xy + vec2(pow(2.0, p.x), mod(p.y, 3.0));
    if (which.x > which.y / 2) uv *= texture2DLod(tex, uv, 1.0).xy;
    gl_Position = mvp * p + position; gl_PointSize = clamp(length(p), 1.0, 8.0);
}
)"},
    {false, R"(#extension GL_EXT_frag_depth : enable
#extension GL_EXT_shader_texture_lod : enable
precision highp float; precision highp int;
uniform sampler2D tex; uniform ivec4 a; uniform bvec3 on; uniform vec4 table[5]; varying vec3 normal; varying vec2 uv;
bool inside(vec2 p) { return all(lessThan(abs(p), vec2(0.75))) != any(on); }
mat2 turn(float angle) { return mat2(cos(angle), -sin(angle), sin(angle), cos(angle)); }
void main() {
    vec4 c = vec4(0.0); vec2 p = uv; int n = a.x;
    for (int i = 0; i < 20; i++) {
        p = turn(float(i)) * p + fract(normal.xy) * exp2(-p.x) - sqrt(abs(p.y)) / 3.0;
        if (inside(p)) { c += table[i - (i / 5) * 5]; n -= i; } else if (n > 40) break;
        c[i / 5] += atan(p.y, p.x) + float(n * a[i / 5]);
    }
    if (!gl_FrontFacing) { c = c.wzyx; return; }
    gl_FragDepthEXT = smoothstep(0.0, 2.0, gl_FragCoord.z);
    gl_FragColor = clamp(c, table[0], max(table[1], 1.0)) * texture2DLodEXT(tex, gl_PointCoord, floor(c.x));
}
)"},
    {false, R"(#extension GL_EXT_draw_buffers : enable
precision mediump float;
uniform mat4 m; uniform float t; varying vec3 normal; varying vec2 uv;
void swap(inout vec4 a, inout vec4 b) { vec4 c = a; a = b; b = c; }
void main() {
    vec4 a = m[0] * t, b = m * vec4(normal, 1.0);
    while (a.x < b.x) { swap(a, b); a.x += 1.0; if (a.x > 10.0) { b = -a; continue; } b.x -= 0.5; }
    gl_FragData[0] = a == b ? refract(a, b, 0.5) : faceforward(a, b, vec4(uv, uv).xzyw);
}
)"}};
/// What a mutated text is linked with.
constexpr const char* kVertex =
    "attribute vec4 position; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_Position = position; gl_PointSize = 3.0; normal = position.xyz; uv = position.yx; }";
constexpr const char* kFragment =
    "precision mediump float; varying vec3 normal; varying vec2 uv; void main() {"
    " gl_FragColor = vec4(normal, uv.x + uv.y); }";

// What the signal handler reports.
volatile uint64_t g_seed;
const char* volatile g_text = "";

void report(int signal) {
    char line[100];
    const int n = std::snprintf(line, sizeof line, "\nfuzz_shaders: signal %d, --seed %llu --count 1, in:\n",
                                signal, static_cast<unsigned long long>(g_seed));
    size_t length = 0;
    while (g_text[length])
        ++length;
    if (write(2, line, size_t(n)) < 0 || write(2, g_text, length) < 0) _exit(2);
    ::signal(signal, SIG_DFL);
    raise(signal == SIGALRM ? SIGABRT : signal);
}

struct Counts {
    unsigned compiled = 0, linked = 0, drawn = 0;
};

class Session {
  public:
    ~Session();
    [[nodiscard]] bool create();
    void run(uint64_t seed, Counts* counts);

  private:
    void draw(GLuint program, std::mt19937& random, Counts* counts);

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
};

bool Session::create() {
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display_, nullptr, nullptr)) return false;
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 24,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglChooseConfig(display_, want, &config, 1, &n) || !n) return false;
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    surface_ = eglCreatePbufferSurface(display_, config, size);
    if (!eglMakeCurrent(display_, surface_, surface_, context_)) return false;
    const GLubyte texels[2 * 2 * 4] = {255, 0, 40, 1, 70, 80, 90, 255, 3, 200, 100, 0, 1, 2, 3, 128};
    GLuint textures[2];
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_CUBE_MAP, textures[1]);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    return true;
}

Session::~Session() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_) eglDestroyContext(display_, context_);
    if (surface_) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
    eglReleaseThread();
}

GLuint compile(GLenum type, const char* text, size_t length) {
    const GLuint s = glCreateShader(type);
    const GLint n = GLint(length);
    glShaderSource(s, 1, &text, &n);
    glCompileShader(s);
    return s;
}

/// Numbers of all kinds for all uniforms; samplers get the unit with a texture of their kind.
void set_uniforms(GLuint program, std::mt19937& random) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        char name[300];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        const GLint location = glGetUniformLocation(program, name);
        GLfloat f[16];
        GLint n[4];
        for (GLfloat& v : f)
            v = float(int(random() % 2000) - 1000) * (random() % 3 ? 0.002f : 1e30f);
        for (GLint& v : n)
            v = random() % 8 ? GLint(random() % 5) : GLint(random());
        switch (type) {
            case GL_SAMPLER_2D:
            case GL_SAMPLER_CUBE:
                glUniform1i(location, type == GL_SAMPLER_CUBE);
                break;
            case GL_FLOAT_MAT4:
                glUniformMatrix4fv(location, 1, GL_FALSE, f);
                break;
            case GL_FLOAT_MAT3:
                glUniformMatrix3fv(location, 1, GL_FALSE, f);
                break;
            case GL_FLOAT_VEC4:
                glUniform4fv(location, 1, f);
                break;
            case GL_FLOAT_VEC3:
                glUniform3fv(location, 1, f);
                break;
            case GL_FLOAT_VEC2:
                glUniform2fv(location, 1, f);
                break;
            case GL_INT_VEC4:
                glUniform4iv(location, 1, n);
                break;
            case GL_INT_VEC2:
                glUniform2iv(location, 1, n);
                break;
            default:
                glUniform1f(location, f[0]);
                glUniform1i(location, n[0]);
        }
    }
}

/// Once, or as often as it takes to be worth better code.
void Session::draw(GLuint program, std::mt19937& random, Counts* counts) {
    static const GLfloat kTriangle[] = {-1, -1, 0.5f, 1, 1, -1, -0.5f, 1, -0.2f, 1.5f, 0, 1};
    glUseProgram(program);
    set_uniforms(program, random);
    for (GLuint i = 0; i < 8; ++i) {
        glDisableVertexAttribArray(i);
        glVertexAttrib4f(i, 0.5f, -1, 2, 1);
    }
    const GLint position = glGetAttribLocation(program, "position");
    if (position >= 0) {
        glVertexAttribPointer(GLuint(position), 4, GL_FLOAT, GL_FALSE, 0, kTriangle);
        glEnableVertexAttribArray(GLuint(position));
    }
    while (glGetError())
        ;
    for (unsigned n = random() % 8 ? 1 : 10; n > 0; --n)
        glDrawArrays(random() % 4 ? GL_TRIANGLES : GL_POINTS, 0, 3);
    GLubyte pixel[4];
    glReadPixels(8, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    counts->drawn += glGetError() == GL_NO_ERROR;
}

void Session::run(uint64_t seed, Counts* counts) {
    fuzz::Mutator m(uint32_t(seed * 2654435761u), kSeeds);
    m.next();
    g_seed = seed;
    g_text = m.text.c_str();
    alarm(kPatience_s);
    std::mt19937 random{uint32_t(seed)};
    const GLuint program = glCreateProgram();
    const GLuint mutated =
        compile(m.vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER, m.text.data(), m.text.size());
    const std::string_view with = m.vertex ? kFragment : kVertex;
    const GLuint other = compile(m.vertex ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, with.data(), with.size());
    GLint compiled = 0, linked = 0;
    glGetShaderiv(mutated, GL_COMPILE_STATUS, &compiled);
    glAttachShader(program, mutated);
    glAttachShader(program, other);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    counts->compiled += compiled != 0;
    counts->linked += linked != 0;
    if (linked) draw(program, random, counts);
    glUseProgram(0);
    glDeleteShader(mutated);
    glDeleteShader(other);
    glDeleteProgram(program);
    alarm(0);
    g_text = "";
}

}  // namespace

int main(int argc, char** argv) {
    uint64_t count = 10000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        if (a == "--count")
            count = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--seed")
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            return std::fprintf(stderr, "fuzz_shaders: no option %s\n", argv[i]), 2;
    }
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
        signal(s, report);
    Counts counts;
    for (uint64_t done = 0; done < count; done += kRound) {
        Session session;
        if (!session.create()) return std::fprintf(stderr, "fuzz_shaders: no context\n"), 1;
        for (uint64_t i = done; i < count && i < done + kRound; ++i)
            session.run(seed + i, &counts);
        if (isatty(2)) std::fprintf(stderr, "\r%llu texts", static_cast<unsigned long long>(done));
    }
    std::printf("%llu texts, of which %u compiled, %u linked and %u drew: no crash, no hang\n",
                static_cast<unsigned long long>(count), counts.compiled, counts.linked, counts.drawn);
    // Enough of them must get past the parser to try what lies behind it.
    return count >= 1000 && counts.drawn < count / 20;
}
