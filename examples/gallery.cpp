// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws all scenes, or the named ones, into PNG files and lists them with their devices.
#include <GLES2/gl2.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "examples/common/offscreen.h"
#include "examples/common/png_file.h"
#include "examples/common/scene.h"

using namespace example;

namespace {

struct Options {
    std::string folder = "out";
    int width = 512, height = 512;
    std::vector<const Scene*> chosen;
};

[[noreturn]] void usage(int code) {
    std::fprintf(code ? stderr : stdout,
                 "Usage: gallery [--out FOLDER] [--size WIDTHxHEIGHT] [SCENE...]\n"
                 "Draws scenes (all, unless some are named) into FOLDER/SCENE.png.\n\nScenes:\n");
    for (const Scene& s : scenes())
        std::fprintf(code ? stderr : stdout, "  %-18s %s\n", s.name, s.what);
    std::exit(code);
}

const Scene* find_scene(const char* name) {
    for (const Scene& s : scenes())
        if (!std::strcmp(s.name, name)) return &s;
    return nullptr;
}

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        const bool more = i + 1 < argc;
        if (a == "--help" || a == "-h") usage(0);
        if (a == "--out" && more) {
            o.folder = argv[++i];
        } else if (a == "--size" && more) {
            char rest = 0;
            if (std::sscanf(argv[++i], "%dx%d%c", &o.width, &o.height, &rest) != 2 || o.width < 16 ||
                o.height < 16)
                usage(2);
        } else if (const Scene* s = find_scene(argv[i])) {
            o.chosen.push_back(s);
        } else {
            std::fprintf(stderr, "gallery: no such scene or option: %s\n\n", argv[i]);
            usage(2);
        }
    }
    if (o.chosen.empty())
        for (const Scene& s : scenes())
            o.chosen.push_back(&s);
    return o;
}

const char* error_name(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "GL_INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "GL_INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "GL_INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "GL_INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "GL_OUT_OF_MEMORY";
        default:
            return "an unknown error";
    }
}

/// True if the scene was drawn without a GL error and its file was written, or if the device does not support
/// its version.
bool draw(const Scene& scene, const OffscreenDisplay& display, const Options& o, bool first) {
    if (!display.has_version(scene.version)) {
        std::printf("  %-32s    skipped: it needs OpenGL ES %d.%d\n", scene.name, scene.version / 10,
                    scene.version % 10);
        return true;
    }
    OffscreenContext context(display, o.width, o.height, scene.version);
    if (first)
        std::printf("Drawing %dx%d on %s, %s\n", o.width, o.height,
                    reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                    reinterpret_cast<const char*>(glGetString(GL_VERSION)));
    const auto start = std::chrono::steady_clock::now();
    scene.draw(o.width, o.height);
    glFinish();
    const double ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    const Picture picture = read_framebuffer(o.width, o.height);
    bool ok = true;
    for (GLenum error; (error = glGetError()) != GL_NO_ERROR; ok = false)
        std::fprintf(stderr, "gallery: %s: %s\n", scene.name, error_name(error));
    const std::string path = o.folder + "/" + scene.name + ".png";
    if (!write_png(path, picture)) {
        std::fprintf(stderr, "gallery: cannot write %s\n", path.c_str());
        return false;
    }
    std::printf("  %-32s %8.1f ms   %s\n", path.c_str(), ms, scene.what);
    std::fflush(stdout);
    return ok;
}

}  // namespace

int main(int argc, char** argv) {
    const Options o = parse(argc, argv);
    std::error_code error;
    std::filesystem::create_directories(o.folder, error);
    if (error) {
        std::fprintf(stderr, "gallery: cannot make the folder %s: %s\n", o.folder.c_str(),
                     error.message().c_str());
        return 1;
    }
    OffscreenDisplay display;
    bool ok = true;
    for (const Scene* s : o.chosen)
        ok = draw(*s, display, o, s == o.chosen.front()) && ok;
    return ok ? 0 : 1;
}
