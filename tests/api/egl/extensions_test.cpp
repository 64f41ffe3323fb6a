// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Extensions that compositors need and that no other test covers, on TERRAZZO_DEVICE.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/api/egl/fixture.h"
// After OpenGL ES 2.0's.
#include <GLES2/gl2ext.h>

using Bytes = std::vector<unsigned char>;

namespace {

const Bytes kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255};

bool has_gl(const char* extension) {
    const std::string all =
        std::string(" ") + reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)) + " ";
    return all.find(std::string(" ") + extension + " ") != std::string::npos;
}

/// Draws with one colour; attribute 0 is the position.
GLuint program_of(const std::string& fragment) {
    const char* const texts[] = {"attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                                 fragment.c_str()};
    const GLuint p = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &texts[i], nullptr);
        glCompileShader(shader);
        glAttachShader(p, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    glUseProgram(p);
    return p;
}
GLuint program(const std::string& color) {
    return program_of("precision mediump float; void main() { gl_FragColor = vec4(" + color + "); }");
}

constexpr float kEverything[] = {-1, -1, 3, -1, -1, 3}, kNothing[] = {0, 0, 0, 0, 0, 0};

GLuint buffer(const float (&corners)[6]) {
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    return b;
}

void use_bound_buffer() {
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}

/// CAP_SYS_NICE, from the line "CapEff:" and 64 bits in hexadecimal.
bool may_raise_priority() {
    constexpr unsigned kCapSysNice = 23;
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "CapEff:" && status >> word)
            return std::strtoull(word.c_str(), nullptr, 16) >> kCapSysNice & 1;
    return false;
}

void clear_red() {
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

TEST_CASE("extension: EGL_KHR_display_reference counts initializations") {
    const EGLAttrib tracks[] = {EGL_TRACK_REFERENCES_KHR, EGL_TRUE, EGL_NONE};
    const EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, tracks);
    REQUIRE(dpy != EGL_NO_DISPLAY);
    CHECK(dpy != eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr));
    EGLint n = 0;
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    EGLAttrib value = EGL_FALSE;
    const auto query = fixture::proc<PFNEGLQUERYDISPLAYATTRIBKHRPROC>("eglQueryDisplayAttribKHR");
    CHECK(query(dpy, EGL_TRACK_REFERENCES_KHR, &value));
    CHECK(value == EGL_TRUE);
    CHECK(eglTerminate(dpy));
    CHECK(eglGetConfigs(dpy, nullptr, 0, &n));
    CHECK(eglTerminate(dpy));
    CHECK_EGL_ERROR(eglGetConfigs(dpy, nullptr, 0, &n), EGL_FALSE, EGL_NOT_INITIALIZED);
}

TEST_CASE_FIXTURE(fixture::Display, "extension: EGL_IMG_context_priority reports the device's priority") {
    const EGLConfig cfg = config({});
    constexpr EGLint kLow = EGL_CONTEXT_PRIORITY_LOW_IMG, kMedium = EGL_CONTEXT_PRIORITY_MEDIUM_IMG,
                     kHigh = EGL_CONTEXT_PRIORITY_HIGH_IMG;
    for (const EGLint level : {kLow, kMedium, kHigh}) {
        const EGLint list[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_PRIORITY_LEVEL_IMG, level,
                               EGL_NONE};
        const EGLContext c = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, list);
        REQUIRE(c != EGL_NO_CONTEXT);
        EGLint got = 0;
        CHECK(eglQueryContext(dpy, c, EGL_CONTEXT_PRIORITY_LEVEL_IMG, &got));
        const EGLSurface s = pbuffer(cfg, 4, 4);
        REQUIRE(eglMakeCurrent(dpy, s, s, c));
        const std::string device = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
        // The CPU has one priority. Linux grants panthor's high priority only with a capability; virtual
        // Adrenos have three.
        const bool refused = device.find("Mali") != std::string::npos && !may_raise_priority();
        const EGLint given = device.find("soft") != std::string::npos ? kMedium
                             : level == kHigh && refused              ? kMedium
                                                                      : level;
        CHECK_MESSAGE(got == given, device);
        clear_red();
        Bytes p(4);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
        CHECK(p == kRed);
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    const EGLint bad[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_PRIORITY_LEVEL_IMG, 7, EGL_NONE};
    CHECK_EGL_ERROR(eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, bad), EGL_NO_CONTEXT, EGL_BAD_ATTRIBUTE);
}

TEST_CASE_FIXTURE(fixture::Display, "extension: EGL_KHR_create_context_no_error records no errors") {
    const EGLConfig cfg = config({});
    const EGLint list[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE,
                           EGL_NONE};
    const EGLContext c = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, list), plain = context(cfg);
    REQUIRE(c != EGL_NO_CONTEXT);
    const EGLSurface s = pbuffer(cfg, 4, 4);
    REQUIRE(eglMakeCurrent(dpy, s, s, c));
    glEnable(GL_RGBA);  // not a capability
    glDrawArrays(0x7777, 0, 3);
    CHECK(glGetError() == GL_NO_ERROR);
    REQUIRE(eglMakeCurrent(dpy, s, s, plain));
    glEnable(GL_RGBA);  // not a capability
    CHECK(glGetError() == GL_INVALID_ENUM);
    const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    CHECK_EGL_ERROR(eglCreateContext(dpy, cfg, c, es2), EGL_NO_CONTEXT, EGL_BAD_MATCH);
    const EGLint debug[] = {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE,
                            EGL_NONE};
    CHECK_EGL_ERROR(eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, debug), EGL_NO_CONTEXT, EGL_BAD_MATCH);
}

TEST_CASE("extension: EGL_KHR_get_all_proc_addresses finds functions of all versions, and no others") {
    for (const char* name : {"eglInitialize", "eglGetProcAddress", "eglSetDamageRegionKHR", "glClear",
                             "glDrawArraysInstanced", "glDispatchCompute", "glMapBufferOES"})
        CHECK_MESSAGE((eglGetProcAddress(name) != nullptr), name);
    for (const char* name : {"", "eglNoSuchFunction", "glBegin", "glXSwapBuffers"})
        CHECK_MESSAGE((eglGetProcAddress(name) == nullptr), name);
}

TEST_CASE_FIXTURE(fixture::Current, "extension: GL_OES_vertex_array_object separates arrays") {
    REQUIRE(has_gl("GL_OES_vertex_array_object"));
    const auto gen = fixture::proc<PFNGLGENVERTEXARRAYSOESPROC>("glGenVertexArraysOES");
    const auto bind = fixture::proc<PFNGLBINDVERTEXARRAYOESPROC>("glBindVertexArrayOES");
    const auto remove = fixture::proc<PFNGLDELETEVERTEXARRAYSOESPROC>("glDeleteVertexArraysOES");
    const auto is = fixture::proc<PFNGLISVERTEXARRAYOESPROC>("glIsVertexArrayOES");
    program("0.0, 1.0, 0.0, 1.0");
    GLuint all[2] = {};
    gen(2, all);
    CHECK(!is(all[0]));
    for (int i = 0; i < 2; ++i) {
        bind(all[i]);
        (void)buffer(i ? kEverything : kNothing);
        use_bound_buffer();
    }
    CHECK(is(all[0]));
    for (int i = 0; i < 2; ++i) {
        clear_red();
        bind(all[i]);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(pixel(5, 5) == (i ? kGreen : kRed));
    }
    remove(2, all);
    bind(0);
    GLint bound = -1;
    glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &bound);
    CHECK(bound == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(fixture::Current, "extension: GL_OES_mapbuffer returns the buffer's memory") {
    REQUIRE(has_gl("GL_OES_mapbuffer"));
    const auto map = fixture::proc<PFNGLMAPBUFFEROESPROC>("glMapBufferOES");
    const auto unmap = fixture::proc<PFNGLUNMAPBUFFEROESPROC>("glUnmapBufferOES");
    program("0.0, 1.0, 0.0, 1.0");
    (void)buffer(kNothing);
    use_bound_buffer();
    clear_red();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    void* const memory = map(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
    REQUIRE(memory);
    CHECK(!map(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    std::memcpy(memory, kEverything, sizeof kEverything);
    CHECK(unmap(GL_ARRAY_BUFFER));
    CHECK(pixel(5, 5) == kRed);  // the earlier draw used the earlier data
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(pixel(5, 5) == kGreen);
}

TEST_CASE_FIXTURE(fixture::Current, "extension: GL_EXT_buffer_storage, coherent memory that stays mapped") {
    if (!has_gl("GL_EXT_buffer_storage")) return;
    const auto storage = fixture::proc<PFNGLBUFFERSTORAGEEXTPROC>("glBufferStorageEXT");
    const auto map = fixture::proc<PFNGLMAPBUFFERRANGEEXTPROC>("glMapBufferRangeEXT");
    constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT_EXT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    program("0.0, 1.0, 0.0, 1.0");
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    storage(GL_ARRAY_BUFFER, sizeof kNothing, kNothing, kFlags);
    void* const memory = map(GL_ARRAY_BUFFER, 0, sizeof kNothing, kFlags);
    REQUIRE(memory);
    use_bound_buffer();
    for (const bool all : {false, true, false}) {
        clear_red();
        std::memcpy(memory, all ? kEverything : kNothing, sizeof kNothing);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(pixel(5, 5) == (all ? kGreen : kRed));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(fixture::Current, "extension: GL_EXT_disjoint_timer_query measures draws") {
    if (!has_gl("GL_EXT_disjoint_timer_query")) return;
    const auto gen = fixture::proc<PFNGLGENQUERIESEXTPROC>("glGenQueriesEXT");
    const auto begin = fixture::proc<PFNGLBEGINQUERYEXTPROC>("glBeginQueryEXT");
    const auto end = fixture::proc<PFNGLENDQUERYEXTPROC>("glEndQueryEXT");
    const auto counter = fixture::proc<PFNGLQUERYCOUNTEREXTPROC>("glQueryCounterEXT");
    const auto result = fixture::proc<PFNGLGETQUERYOBJECTUI64VEXTPROC>("glGetQueryObjectui64vEXT");
    const auto now = fixture::proc<PFNGLGETINTEGER64VEXTPROC>("glGetInteger64vEXT");
    program("0.0, 1.0, 0.0, 1.0");
    (void)buffer(kEverything);
    use_bound_buffer();
    GLuint q[3] = {};
    gen(3, q);
    GLint64 before = 0, after = 0;
    now(GL_TIMESTAMP_EXT, &before);
    counter(q[0], GL_TIMESTAMP_EXT);
    begin(GL_TIME_ELAPSED_EXT, q[1]);
    for (int i = 0; i < 50; ++i)
        glDrawArrays(GL_TRIANGLES, 0, 3);
    end(GL_TIME_ELAPSED_EXT);
    counter(q[2], GL_TIMESTAMP_EXT);
    glFinish();
    now(GL_TIMESTAMP_EXT, &after);
    GLuint64 first = 0, elapsed = 0, last = 0;
    result(q[0], GL_QUERY_RESULT_EXT, &first);
    result(q[1], GL_QUERY_RESULT_EXT, &elapsed);
    result(q[2], GL_QUERY_RESULT_EXT, &last);
    CHECK(elapsed > 0);
    CHECK(first >= GLuint64(before));
    CHECK(last >= first + elapsed);
    CHECK(GLuint64(after) >= last);
    GLint disjoint = -1;
    glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
    CHECK(disjoint == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(fixture::Current, "extension: GL_NV_draw_buffers draws to two targets from ESSL 1.00") {
    REQUIRE(has_gl("GL_NV_draw_buffers"));
    GLuint framebuffer = 0, textures[2];
    glGenTextures(2, textures);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0_NV, GL_COLOR_ATTACHMENT1_NV};
    for (int i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glFramebufferTexture2D(GL_FRAMEBUFFER, both[i], GL_TEXTURE_2D, textures[i], 0);
    }
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    fixture::proc<PFNGLDRAWBUFFERSNVPROC>("glDrawBuffersNV")(2, both);
    glViewport(0, 0, 8, 8);
    const GLuint p = program_of(
        "#extension GL_NV_draw_buffers : require\n"
        "precision mediump float;\n"
        "void main() { gl_FragData[0] = vec4(1, 0, 0, 1); gl_FragData[1] = vec4(0, 1, 0, 1); }");
    const GLuint corners = buffer(kEverything);
    use_bound_buffer();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const auto pixel = [&](int i) {
        Bytes out(4);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[i], 0);
        glReadPixels(3, 5, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
        return out;
    };
    CHECK(pixel(0) == kRed);
    CHECK(pixel(1) == kGreen);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteProgram(p);
    glDeleteBuffers(1, &corners);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(2, textures);
}
