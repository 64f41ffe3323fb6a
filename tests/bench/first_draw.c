// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Latency, in CPU time of the whole process (all its threads): from its start to the first clear that was
// finished, then for each of several new programs (three lights, Phong) glCompileShader and glLinkProgram,
// and the first draw. The last line repeats the draw of the last program. Plain EGL and GLES 2.0: run it on
// any implementation.
//
// first_draw [PROGRAMS [SEED]]   programs of the same seed have the same text: a warm cache knows them
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static const char kVertex[] =
    "attribute vec3 position, normal;\n"
    "uniform mat4 mvp, model;\n"
    "uniform mat3 normal_matrix;\n"
    "varying vec3 v_normal, v_position;\n"
    "void main() {\n"
    "  vec4 world = model * vec4(position * %f, 1.0);\n"
    "  v_position = world.xyz;\n"
    "  v_normal = normalize(normal_matrix * normal);\n"
    "  gl_Position = mvp * world;\n"
    "}\n";

static const char kFragment[] =
    "precision highp float;\n"
    "struct Light { vec3 position, ambient, diffuse, specular; };\n"
    "uniform Light lights[3];\n"
    "uniform vec3 eye;\n"
    "uniform float shininess;\n"
    "uniform sampler2D albedo;\n"
    "varying vec3 v_normal, v_position;\n"
    "void main() {\n"
    "  vec3 n = normalize(v_normal), view = normalize(eye - v_position);\n"
    "  vec3 color = vec3(0.0), base = texture2D(albedo, v_position.xy * %f).rgb;\n"
    "  for (int i = 0; i < 3; ++i) {\n"
    "    vec3 to_light = lights[i].position - v_position;\n"
    "    float attenuation = 1.0 / (1.0 + 0.1 * dot(to_light, to_light));\n"
    "    vec3 l = normalize(to_light);\n"
    "    float diffuse = max(dot(n, l), 0.0);\n"
    "    float specular = pow(max(dot(reflect(-l, n), view), 0.0), shininess);\n"
    "    color += lights[i].ambient * base + attenuation * (lights[i].diffuse * diffuse * base +\n"
    "             lights[i].specular * specular);\n"
    "  }\n"
    "  gl_FragColor = vec4(sqrt(color), 1.0);\n"
    "}\n";

static GLuint shader(GLenum type, const char* format, double number) {
    char text[4096];
    snprintf(text, sizeof text, format, number);
    const char* p = text;
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &p, NULL);
    glCompileShader(s);
    return s;
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}
static double median(double* v, int n) {
    qsort(v, (size_t)n, sizeof *v, compare);
    return v[n / 2];
}

static int start(void) {
    const PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    const EGLDisplay d = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    if (!eglInitialize(d, NULL, NULL)) return 0;
    eglBindAPI(EGL_OPENGL_ES_API);
    static const EGLint want[] = {EGL_SURFACE_TYPE,
                                  EGL_PBUFFER_BIT,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_ES2_BIT,
                                  EGL_RED_SIZE,
                                  8,
                                  EGL_DEPTH_SIZE,
                                  24,
                                  EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, 256, EGL_HEIGHT, 256, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglChooseConfig(d, want, &config, 1, &n) || n < 1) return 0;
    const EGLContext c = eglCreateContext(d, config, EGL_NO_CONTEXT, version);
    const EGLSurface s = eglCreatePbufferSurface(d, config, size);
    return eglMakeCurrent(d, s, s, c);
}

int main(int argc, char** argv) {
    enum { kMost = 1000 };
    static double build_ms[kMost], draw_ms[kMost], total_ms[kMost];
    int count = argc > 1 ? atoi(argv[1]) : 15;
    const int seed = argc > 2 ? atoi(argv[2]) : (int)time(NULL);
    if (count < 1 || count > kMost) count = kMost;
    const double before_ms = cpu_ms();
    if (!start()) return fprintf(stderr, "no context\n"), 1;
    glClearColor(0.1f, 0.2f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    const double clear_ms = cpu_ms();
    printf("%s\nstart to first clear: %.2f ms (%.2f of them before main)\n", glGetString(GL_RENDERER),
           clear_ms, before_ms);

    static const GLubyte texel[4] = {200, 100, 50, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const float corners[] = {-1, -1, 0, 0, 0, 1, 1, -1, 0, 0, 0, 1, -1, 1, 0, 0, 0, 1};
    double repeat_ms = 0;
    for (int i = 0; i < count; ++i) {
        const double number = 1 + (seed % 100000) * 1e-6 + i * 1e-3;
        const double t0 = cpu_ms();
        const GLuint p = glCreateProgram();
        glAttachShader(p, shader(GL_VERTEX_SHADER, kVertex, number));
        glAttachShader(p, shader(GL_FRAGMENT_SHADER, kFragment, number));
        glBindAttribLocation(p, 0, "position");
        glBindAttribLocation(p, 1, "normal");
        glLinkProgram(p);
        GLint ok = 0;
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        if (!ok) return fprintf(stderr, "a program did not link\n"), 1;
        const double t1 = cpu_ms();
        glUseProgram(p);
        glUniformMatrix4fv(glGetUniformLocation(p, "mvp"), 1, GL_FALSE, identity);
        glUniformMatrix4fv(glGetUniformLocation(p, "model"), 1, GL_FALSE, identity);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, corners);
        glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, corners + 3);
        glEnableVertexAttribArray(0);
        glEnableVertexAttribArray(1);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
        const double t2 = cpu_ms();
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glFinish();
        repeat_ms = cpu_ms() - t2;
        build_ms[i] = t1 - t0;
        draw_ms[i] = t2 - t1;
        total_ms[i] = t2 - t0;
    }
    printf("first program: compile and link %.2f ms, first draw %.2f ms\n", build_ms[0], draw_ms[0]);
    printf(
        "median of %d programs: compile and link %.2f ms, first draw %.2f ms, both %.2f ms; drawn again %.2f "
        "ms\n",
        count, median(build_ms, count), median(draw_ms, count), median(total_ms, count), repeat_ms);
    return glGetError() != GL_NO_ERROR;
}
