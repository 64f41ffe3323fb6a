// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws the example scenes at 256x256 and compares them with the stored pictures. TERRAZZO_DEVICE chooses the
// device.
//
//   golden FOLDER [--tolerance N] [--pixels N] [--except SCENE] [SCENE...]
//       compares. A channel may differ by N (soft: 0), and by more in N pixels of a picture: each device
//       computes filters and edges differently
//   golden FOLDER --update [SCENE...]
//       stores what was drawn: look before you commit it
//
// If a scene differs, the drawn picture and a picture of the differences (white) are written to
// $GOLDEN_OUT/SCENE.drawn.png and .differs.png (default folder: golden-out). A scene that looks different in
// a context of OpenGL ES 2.0 has a second picture for it, SCENE.es2.png. Scenes that need a version that the
// device does not support are skipped. The last line is "N passed, N failed, N skipped".
#include <GLES2/gl2.h>

#include <algorithm>
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

constexpr int kSize_px = 256;

struct Options {
    std::string folder;
    int tolerance = 0, pixels = 0;
    bool update = false;
    std::vector<std::string> names;
    std::string except;
};

bool is_scene(const std::string& name) {
    return std::any_of(scenes().begin(), scenes().end(), [&](const Scene& s) { return name == s.name; });
}

/// False if the scene raised a GL error. `is_es2`: the context's version is 2.0.
bool draw(const Scene& scene, const OffscreenDisplay& display, Picture* out, bool* is_es2) {
    OffscreenContext context(display, kSize_px, kSize_px, scene.version);
    *is_es2 = std::strstr(reinterpret_cast<const char*>(glGetString(GL_VERSION)), "OpenGL ES 2.") != nullptr;
    scene.draw(kSize_px, kSize_px);
    *out = read_framebuffer(kSize_px, kSize_px);
    const GLenum error = glGetError();
    if (error != GL_NO_ERROR) std::printf("%s: GL error 0x%04x\n", scene.name, error);
    return error == GL_NO_ERROR;
}

struct Difference {
    int pixels = 0, worst = 0, first_x = 0, first_y = 0;
    Picture mask;
};

Difference compare(const Picture& drawn, const Picture& golden, int tolerance) {
    Difference d;
    d.mask = {drawn.width, drawn.height, std::vector<uint8_t>(drawn.rgba.size())};
    for (int i = 0; i < drawn.width * drawn.height; ++i) {
        int worst = 0;
        for (int c = 0; c < 4; ++c)
            worst = std::max(worst, std::abs(drawn.rgba[size_t(4 * i + c)] - golden.rgba[size_t(4 * i + c)]));
        const bool differs = worst > tolerance;
        if (differs && d.pixels++ == 0) d.first_x = i % drawn.width, d.first_y = i / drawn.width;
        d.worst = std::max(d.worst, worst);
        for (int c = 0; c < 4; ++c)
            d.mask.rgba[size_t(4 * i + c)] = differs || c == 3 ? 255 : 0;
    }
    return d;
}

void keep(const Scene& scene, const Picture& drawn, const Picture* mask) {
    const char* wanted = std::getenv("GOLDEN_OUT");
    const std::string folder = wanted && *wanted ? wanted : "golden-out";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string stem = folder + "/" + scene.name;
    if (write_png(stem + ".drawn.png", drawn) && (!mask || write_png(stem + ".differs.png", *mask)))
        std::printf("    see %s.*.png\n", stem.c_str());
}

bool check(const Scene& scene, const OffscreenDisplay& display, const Options& o) {
    Picture drawn, golden;
    bool is_es2 = false;
    if (!draw(scene, display, &drawn, &is_es2)) return false;
    std::string path = o.folder + "/" + scene.name + ".es2.png";
    if (!is_es2 || !std::filesystem::exists(path)) path = o.folder + "/" + scene.name + ".png";
    if (o.update) return write_png(path, drawn);
    if (!read_png(path, &golden) || golden.width != kSize_px || golden.height != kSize_px) {
        std::printf("%s: there is no golden picture of 256x256 at %s\n", scene.name, path.c_str());
        keep(scene, drawn, nullptr);
        return false;
    }
    const Difference d = compare(drawn, golden, o.tolerance);
    if (d.pixels <= o.pixels) return true;
    std::printf("%s: %d pixels differ, by up to %d; the first at (%d, %d), from the top left\n", scene.name,
                d.pixels, d.worst, d.first_x, d.first_y);
    keep(scene, drawn, &d.mask);
    return false;
}

bool parse(int argc, char** argv, Options* o) {
    if (argc < 2) return false;
    o->folder = argv[1];
    for (int i = 2; i < argc; ++i) {
        const std::string a = argv[i];
        if (a == "--update")
            o->update = true;
        else if (a == "--tolerance" && i + 1 < argc)
            o->tolerance = std::atoi(argv[++i]);
        else if (a == "--pixels" && i + 1 < argc)
            o->pixels = std::atoi(argv[++i]);
        else if (a == "--except" && i + 1 < argc && is_scene(argv[i + 1]))
            o->except = argv[++i];
        else if (is_scene(a))
            o->names.push_back(a);
        else
            return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (!parse(argc, argv, &o)) {
        std::fprintf(
            stderr,
            "usage: golden FOLDER [--tolerance N] [--pixels N] [--except SCENE] [--update] [SCENE...]\n");
        return 2;
    }
    OffscreenDisplay display;
    int passed = 0, failed = 0, skipped = 0;
    for (const Scene& s : scenes()) {
        if (s.name == o.except) continue;
        if (!o.names.empty() && std::find(o.names.begin(), o.names.end(), s.name) == o.names.end()) continue;
        if (!display.has_version(s.version))
            ++skipped;
        else
            ++(check(s, display, o) ? passed : failed);
    }
    std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed != 0;
}
