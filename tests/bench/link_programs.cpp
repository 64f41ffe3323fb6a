// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Links programs with the OpenGL ES that the loader finds, and prints what its compiler reports of each
// shader through KHR_debug (Mesa reports statistics there): a line "file<TAB>message", or "file<TAB>refused"
// for a file that does not compile or link.
//   link_programs FILE.shader_test... | -      (-: reads names of files from stdin, one a line)
// code_compare.py reads its output.
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <time.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/gl_api.h"

namespace {

std::vector<std::string> g_messages;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "link_programs: %s\n", why.c_str());
    std::exit(1);
}

template <class F>
F extension(const char* name) {
    const auto f = reinterpret_cast<F>(egl(eglGetProcAddress)(name));
    if (!f) fail(std::string("no ") + name);
    return f;
}

void GL_APIENTRY keep_message(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar* text, const void*) {
    g_messages.emplace_back(text);
}

void create_context() {
    const auto get_display = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!egl(eglInitialize)(display, nullptr, nullptr)) fail("eglInitialize failed");
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                           EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!egl(eglChooseConfig)(display, want, &config, 1, &count) || count < 1) fail("no config");
    egl(eglBindAPI)(EGL_OPENGL_ES_API);
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_CONTEXT_FLAGS_KHR,
                                 EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR, EGL_NONE};
    const EGLContext context = egl(eglCreateContext)(display, config, EGL_NO_CONTEXT, attributes);
    if (!egl(eglMakeCurrent)(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("eglMakeCurrent failed");
    gl(glEnable)(GL_DEBUG_OUTPUT_KHR);
    gl(glEnable)(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR);
    extension<PFNGLDEBUGMESSAGECALLBACKKHRPROC>("glDebugMessageCallbackKHR")(keep_message, nullptr);
    extension<PFNGLDEBUGMESSAGECONTROLKHRPROC>("glDebugMessageControlKHR")(GL_DONT_CARE, GL_DONT_CARE,
                                                                           GL_DONT_CARE, 0, nullptr, GL_TRUE);
}

struct Stage {
    GLenum kind;
    std::string_view section;
    std::string text;
};

/// The shaders in the sections of one file. False if it has none, or a section that is not supported.
bool read_stages(const std::string& file, std::vector<Stage>* out) {
    std::ifstream in(file);
    std::string* to = nullptr;
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with('[')) {
            if (to) to->append(line).append("\n");
            continue;
        }
        to = nullptr;
        const auto is = [&](std::string_view name) { return line.starts_with(name); };
        if (is("[vertex shader]"))
            out->push_back({GL_VERTEX_SHADER, "vertex", {}});
        else if (is("[fragment shader]"))
            out->push_back({GL_FRAGMENT_SHADER, "fragment", {}});
        else if (is("[compute shader]"))
            out->push_back({GL_COMPUTE_SHADER, "compute", {}});
        else if (is("[vertex shader passthrough]"))
            out->push_back({GL_VERTEX_SHADER, "vertex",
                            "attribute vec4 piglit_vertex;\nvoid main() { gl_Position = piglit_vertex; }\n"});
        else if (line.find("shader") != line.npos)
            return false;
        else
            continue;
        if (!is("[vertex shader passthrough]")) to = &out->back().text;
    }
    return !out->empty();
}

bool link(const std::vector<Stage>& stages) {
    const GLuint program = gl(glCreateProgram)();
    bool good = true;
    for (const Stage& stage : stages) {
        const GLuint shader = gl(glCreateShader)(stage.kind);
        const char* const text = stage.text.c_str();
        gl(glShaderSource)(shader, 1, &text, nullptr);
        gl(glCompileShader)(shader);
        GLint ok = 0;
        gl(glGetShaderiv)(shader, GL_COMPILE_STATUS, &ok);
        good = good && ok;
        gl(glAttachShader)(program, shader);
        gl(glDeleteShader)(shader);
    }
    gl(glLinkProgram)(program);
    GLint ok = 0;
    gl(glGetProgramiv)(program, GL_LINK_STATUS, &ok);
    gl(glDeleteProgram)(program);
    return good && ok;
}

void link_file(const std::string& file) {
    std::vector<Stage> stages;
    g_messages.clear();
    const bool good = read_stages(file, &stages) && link(stages);
    for (std::string& m : g_messages) {
        for (char& c : m)
            if (c == '\n' || c == '\t') c = ' ';
        std::printf("%s\t%s\n", file.c_str(), m.c_str());
    }
    if (!good) std::printf("%s\trefused\n", file.c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: link_programs FILE.shader_test... | -");
    create_context();
    for (int n = 1; n < argc; ++n) {
        if (std::strcmp(argv[n], "-") != 0) {
            link_file(argv[n]);
            continue;
        }
        for (std::string file; std::getline(std::cin, file);)
            link_file(file);
    }
}
