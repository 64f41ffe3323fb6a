// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// YUV images in dma-bufs, sampled as GL_TEXTURE_EXTERNAL_OES, compared with arithmetic in double precision.
// Sealed memfds replace dma-bufs, in the form that virtual GPUs need: whole pages, offsets and strides of
// multiples of 64 bytes.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "tests/api/egl/fixture.h"

#include <GLES2/gl2ext.h>  // needs gl2.h first

namespace {

constexpr size_t kPlane_B = 4096, kSize_B = 4 * kPlane_B;
constexpr EGLint kStride_B = 128, kOffset_B = 64;
constexpr int kMaxWidth_px = 16, kMaxHeight_px = 8;

struct Layout {
    char name[5];
    int planes;
    int x_shift, y_shift;
    bool v_first;
    int bits;
};
constexpr Layout kLayouts[] = {
    {"NV12", 2, 1, 1, false, 8},  {"NV21", 2, 1, 1, true, 8},   {"NV16", 2, 1, 0, false, 8},
    {"NV61", 2, 1, 0, true, 8},   {"YU12", 3, 1, 1, false, 8},  {"YV12", 3, 1, 1, true, 8},
    {"YU16", 3, 1, 0, false, 8},  {"YV16", 3, 1, 0, true, 8},   {"YU24", 3, 0, 0, false, 8},
    {"YV24", 3, 0, 0, true, 8},   {"P010", 2, 1, 1, false, 10}, {"P012", 2, 1, 1, false, 12},
    {"P016", 2, 1, 1, false, 16},
};
EGLint code_of(const Layout& l) {
    EGLint code;
    std::memcpy(&code, l.name, 4);
    return code;
}

struct Weights {
    EGLint hint;
    double red, blue;
};
constexpr Weights kSpaces[] = {{EGL_ITU_REC601_EXT, 0.299, 0.114},
                               {EGL_ITU_REC709_EXT, 0.2126, 0.0722},
                               {EGL_ITU_REC2020_EXT, 0.2627, 0.0593}};

using Color = std::array<double, 3>;

/// The codes of Y, U and V for a colour.
Color color_of(double y, double u, double v, const Weights& w, bool full, int bits) {
    const double unit = std::ldexp(1, bits - 8), most = std::ldexp(1, bits) - 1;
    y = full ? y / most : (y - 16 * unit) / (219 * unit);
    u = (u - 128 * unit) / (full ? most : 224 * unit);
    v = (v - 128 * unit) / (full ? most : 224 * unit);
    const double r = y + 2 * (1 - w.red) * v, b = y + 2 * (1 - w.blue) * u;
    const double g = (y - w.red * r - w.blue * b) / (1 - w.red - w.blue);
    return {std::clamp(r, 0.0, 1.0), std::clamp(g, 0.0, 1.0), std::clamp(b, 0.0, 1.0)};
}

/// A picture in memory, and its codes.
struct Picture {
    Picture(const Layout& l, int w, int h) : layout(l), width(w), height(h) {
        fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        REQUIRE(fd >= 0);
        REQUIRE(ftruncate(fd, kSize_B) == 0);
        REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
        bytes =
            static_cast<unsigned char*>(mmap(nullptr, kSize_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
        REQUIRE(bytes != MAP_FAILED);
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() {
        munmap(bytes, kSize_B);
        close(fd);
    }
    /// `channel`: 0 is Y, 1 is U, 2 is V. For U and V x and y count their own samples.
    void put(int channel, int x, int y, unsigned code) {
        codes[channel][y][x] = code;
        const int swapped = channel && layout.v_first ? 3 - channel : channel;
        const int plane = layout.planes == 3 ? swapped : std::min(channel, 1);
        const bool pair = layout.planes == 2 && plane == 1;
        const int word_B = layout.bits > 8 ? 2 : 1;
        const int at_word = pair ? 2 * x + swapped - 1 : x;
        unsigned char* const at =
            bytes + size_t(plane) * kPlane_B + kOffset_B + y * kStride_B + at_word * word_B;
        const auto word = uint16_t(code << (word_B * 8 - layout.bits));
        std::memcpy(at, &word, size_t(word_B));
    }
    void fill(std::mt19937& random) {
        for (int channel = 0; channel < 3; ++channel)
            for (int y = 0; y < kMaxHeight_px; ++y)
                for (int x = 0; x < kMaxWidth_px; ++x)
                    put(channel, x, y, unsigned(random() % (1u << layout.bits)));
    }
    Color color(int x, int y, const Weights& w, bool full) const {
        const int cx = x >> layout.x_shift, cy = y >> layout.y_shift;
        return color_of(codes[0][y][x], codes[1][cy][cx], codes[2][cy][cx], w, full, layout.bits);
    }
    std::vector<EGLint> attributes() const {
        static constexpr EGLint kNames[][3] = {
            {EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT},
            {EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT},
            {EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT}};
        std::vector<EGLint> a{EGL_WIDTH,      width, EGL_HEIGHT, height, EGL_LINUX_DRM_FOURCC_EXT,
                              code_of(layout)};
        for (int n = 0; n < layout.planes; ++n)
            a.insert(a.end(), {kNames[n][0], fd, kNames[n][1], EGLint(n * EGLint(kPlane_B) + kOffset_B),
                               kNames[n][2], kStride_B});
        return a;
    }
    Layout layout;
    int width, height;
    int fd = -1;
    unsigned char* bytes = nullptr;
    unsigned codes[3][kMaxHeight_px][kMaxWidth_px] = {};
};

const char* const kVertex = "attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }";
const std::string kHead =
    "#extension GL_OES_EGL_image_external : require\nprecision highp float; uniform vec2 size; uniform highp "
    "samplerExternalOES tex;\n";
const std::string kSampled = kHead + "void main() { gl_FragColor = texture2D(tex, gl_FragCoord.xy / size); }";
// OpenGL ES 3.0
const char* const kVertex3 = "#version 300 es\nin vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }";
const char* const kFetched =
    "#version 300 es\n#extension GL_OES_EGL_image_external_essl3 : require\nprecision highp float; out vec4 "
    "color; uniform highp samplerExternalOES tex; void main() { ivec2 at = ivec2(gl_FragCoord.xy); "
    "color = texelFetch(tex, min(at, textureSize(tex, 0) - 1), 0); }";

struct Yuv : fixture::Display {
    PFNEGLCREATEIMAGEKHRPROC create = fixture::proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC target =
        fixture::proc<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>("glEGLImageTargetTexture2DOES");
    GLuint fbo = 0, drawn = 0;
    bool es3 = true;
    Yuv() {
        const EGLConfig cfg =
            config({EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8});
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
        EGLContext c = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, version);
        es3 = c != EGL_NO_CONTEXT;
        if (!es3) c = context(cfg);
        REQUIRE(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, c));
        glGenTextures(1, &drawn);
        glBindTexture(GL_TEXTURE_2D, drawn);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kMaxWidth_px, kMaxHeight_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     nullptr);
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, drawn, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        static constexpr float kCorners[] = {-1, -1, 3, -1, -1, 3};
        GLuint corners = 0;
        glGenBuffers(1, &corners);
        glBindBuffer(GL_ARRAY_BUFFER, corners);
        glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners, GL_STATIC_DRAW);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(0);
    }
    EGLImageKHR import(const Picture& p, const std::vector<EGLint>& hints = {}) {
        std::vector<EGLint> a = p.attributes();
        a.insert(a.end(), hints.begin(), hints.end());
        a.push_back(EGL_NONE);
        return create(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, a.data());
    }
    /// Bound as an external texture. The image is destroyed; the texture keeps it.
    GLuint texture(const Picture& p, const std::vector<EGLint>& hints = {}, GLint filter = GL_NEAREST) {
        const EGLImageKHR image = import(p, hints);
        REQUIRE_MESSAGE(image != EGL_NO_IMAGE, p.layout.name);
        GLuint name = 0;
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_EXTERNAL_OES, name);
        glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MIN_FILTER, filter);
        glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_MAG_FILTER, filter);
        target(GL_TEXTURE_EXTERNAL_OES, image);
        REQUIRE(glGetError() == GL_NO_ERROR);
        CHECK(eglDestroyImage(dpy, image));
        return name;
    }
    GLuint program(const std::string& fragment, const std::string& vertex = kVertex) {
        const GLuint p = glCreateProgram();
        for (const auto& [type, text] :
             {std::pair{GL_VERTEX_SHADER, &vertex}, std::pair{GL_FRAGMENT_SHADER, &fragment}}) {
            const GLuint s = glCreateShader(GLenum(type));
            const char* const t = text->c_str();
            glShaderSource(s, 1, &t, nullptr);
            glCompileShader(s);
            glAttachShader(p, s);
        }
        glBindAttribLocation(p, 0, "at");
        glLinkProgram(p);
        GLint linked = 0;
        char log[1000] = "";
        glGetProgramiv(p, GL_LINK_STATUS, &linked);
        glGetProgramInfoLog(p, sizeof log, nullptr, log);
        REQUIRE_MESSAGE(linked, log);
        glUseProgram(p);
        return p;
    }
    std::vector<unsigned char> draw(int width, int height) {
        glViewport(0, 0, width, height);
        GLint used = 0;
        glGetIntegerv(GL_CURRENT_PROGRAM, &used);
        if (const GLint at = glGetUniformLocation(GLuint(used), "size"); at >= 0)
            glUniform2f(at, float(width), float(height));
        glDrawArrays(GL_TRIANGLES, 0, 3);
        std::vector<unsigned char> out(size_t(width) * size_t(height) * 4);
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
        CHECK(glGetError() == GL_NO_ERROR);
        return out;
    }
    /// The largest difference between any channel and the reference, in 1/255.
    double worst(const Picture& p, const Weights& w, bool full) {
        const std::vector<unsigned char> seen = draw(p.width, p.height);
        double most = 0;
        for (int y = 0; y < p.height; ++y)
            for (int x = 0; x < p.width; ++x) {
                const unsigned char* const at = seen.data() + (y * p.width + x) * 4;
                const Color c = p.color(x, y, w, full);
                for (unsigned n = 0; n < 3; ++n)
                    most = std::max(most, std::abs(at[n] - c[n] * 255));
                most = std::max(most, std::abs(at[3] - 255.0));
            }
        return most;
    }
};

std::vector<EGLint> hints_of(const Weights& w, bool full) {
    return {EGL_YUV_COLOR_SPACE_HINT_EXT, w.hint, EGL_SAMPLE_RANGE_HINT_EXT,
            full ? EGL_YUV_FULL_RANGE_EXT : EGL_YUV_NARROW_RANGE_EXT};
}

}  // namespace

TEST_CASE_FIXTURE(Yuv,
                  "dma-buf: each YUV format has its colours in each space and range, sampled and fetched") {
    std::mt19937 random(7);
    std::vector<GLuint> programs{program(kSampled)};
    if (es3) programs.push_back(program(kFetched, kVertex3));
    for (const Layout& l : kLayouts)
        for (const Weights& w : kSpaces)
            for (const bool full : {false, true}) {
                const bool odd = random() & 1;
                Picture p(l, odd ? 13 : kMaxWidth_px, odd ? 7 : kMaxHeight_px);
                p.fill(random);
                const GLuint t = texture(p, hints_of(w, full));
                for (const GLuint with : programs) {
                    glUseProgram(with);
                    const double most = worst(p, w, full);
                    CHECK_MESSAGE(most <= 1.0, l.name, " of ", p.width, " x ", p.height, ", space ", w.hint,
                                  full ? ", full" : ", narrow",
                                  with == programs[0] ? ", sampled" : ", fetched", ": ", most);
                }
                glDeleteTextures(1, &t);
            }
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: without hints YUV is BT.601 of the narrow range") {
    std::mt19937 random(8);
    Picture p(kLayouts[0], 12, 6);
    p.fill(random);
    texture(p);
    program(kSampled);
    CHECK(worst(p, kSpaces[0], false) <= 1.0);
    CHECK(worst(p, kSpaces[1], false) > 10.0);
    CHECK(worst(p, kSpaces[0], true) > 10.0);
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: chroma is at the position of the hints, with filtering between texels") {
    Picture p(kLayouts[4], kMaxWidth_px, kMaxHeight_px);
    for (int y = 0; y < kMaxHeight_px; ++y)
        for (int x = 0; x < kMaxWidth_px; ++x) {
            p.put(0, x, y, 128);
            p.put(1, x, y, 128);
            p.put(2, x, y, unsigned(96 + 8 * x));
        }
    program(kSampled);
    for (const double siting : {0.0, 0.5}) {
        texture(p,
                {EGL_SAMPLE_RANGE_HINT_EXT, EGL_YUV_FULL_RANGE_EXT, EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT,
                 siting == 0 ? EGL_YUV_CHROMA_SITING_0_EXT : EGL_YUV_CHROMA_SITING_0_5_EXT},
                GL_LINEAR);
        const std::vector<unsigned char> seen = draw(p.width, p.height);
        for (int x = 1; x < p.width - 2; ++x) {
            const double v = 96 + 8 * (x - siting) / 2;
            const double red = color_of(128, 128, v, kSpaces[0], true, 8)[0] * 255;
            CHECK_MESSAGE(std::abs(seen[size_t(2 * p.width + x) * 4] - red) <= 1.0, siting, " at ", x);
        }
    }
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: one program draws images of colours and of YUV, in turn and together") {
    std::mt19937 random(9);
    Picture nv12(kLayouts[0], 12, 6), yv12(kLayouts[5], 12, 6);
    nv12.fill(random);
    yv12.fill(random);
    Picture rgb({"AB24", 1, 0, 0, false, 8}, 12, 6);
    for (int n = 0; n < 6; ++n)
        for (int x = 0; x < 12; ++x)
            std::memcpy(rgb.bytes + kOffset_B + n * kStride_B + x * 4, "\x10\x20\x30\x40", 4);
    const GLuint plain = texture(rgb), two = texture(nv12), three = texture(yv12);
    program(kSampled);
    for (int round = 0; round < 2; ++round) {
        glBindTexture(GL_TEXTURE_EXTERNAL_OES, two);
        CHECK(worst(nv12, kSpaces[0], false) <= 1.0);
        glBindTexture(GL_TEXTURE_EXTERNAL_OES, plain);
        const std::vector<unsigned char> seen = draw(12, 6);
        CHECK(std::equal(seen.begin(), seen.begin() + 4, "\x10\x20\x30\x40"));
        glBindTexture(GL_TEXTURE_EXTERNAL_OES, three);
        CHECK(worst(yv12, kSpaces[0], false) <= 1.0);
    }
    // Another program finds the textures unchanged.
    program(kSampled);
    CHECK(worst(yv12, kSpaces[0], false) <= 1.0);
    // Elements of an array, in both stages.
    const std::string array =
        "#extension GL_OES_EGL_image_external : require\nprecision highp float;\nuniform highp "
        "samplerExternalOES t[3]; varying vec4 first; ";
    const GLuint p = program(
        array +
            "void main() { vec2 at = gl_FragCoord.xy / vec2(12, 6); gl_FragColor = gl_FragCoord.x < 6.0 ? "
            "texture2D(t[1], at) : texture2D(t[2], at); if (gl_FragCoord.y < 1.0) gl_FragColor = first; }",
        array +
            "attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); first = texture2D(t[1], "
            "vec2(3.5, 2.5) / vec2(12, 6)); }");
    static constexpr GLint kUnits[] = {0, 1, 2};
    glUniform1iv(glGetUniformLocation(p, "t"), 3, kUnits);
    const GLuint textures[] = {plain, two, three};
    for (unsigned n = 0; n < 3; ++n) {
        glActiveTexture(GL_TEXTURE0 + n);
        glBindTexture(GL_TEXTURE_EXTERNAL_OES, textures[n]);
    }
    const std::vector<unsigned char> seen = draw(12, 6);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 12; ++x) {
            const Color c = y == 0  ? nv12.color(3, 2, kSpaces[0], false)
                            : x < 6 ? nv12.color(x, y, kSpaces[0], false)
                                    : yv12.color(x, y, kSpaces[0], false);
            for (unsigned n = 0; n < 3; ++n)
                CHECK(std::abs(seen[size_t(y * 12 + x) * 4 + n] - c[n] * 255) <= 1.0);
        }
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: YUV images are only external textures, and use a unit for each plane") {
    const auto renderbuffer = fixture::proc<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>(
        "glEGLImageTargetRenderbufferStorageOES");
    for (const Layout& l : kLayouts) {
        Picture p(l, 8, 4);
        const EGLImageKHR image = import(p);
        REQUIRE_MESSAGE(image != EGL_NO_IMAGE, l.name);
        GLuint name = 0;
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        target(GL_TEXTURE_2D, image);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        GLuint buffer = 0;
        glGenRenderbuffers(1, &buffer);
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        renderbuffer(GL_RENDERBUFFER, image);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        CHECK(eglDestroyImage(dpy, image));
        texture(p);
        GLint units = 0;
        glGetTexParameteriv(GL_TEXTURE_EXTERNAL_OES, GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, &units);
        CHECK(units == l.planes);
    }
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: YUV formats are listed, only in linear memory and as external") {
    const auto formats = fixture::proc<PFNEGLQUERYDMABUFFORMATSEXTPROC>("eglQueryDmaBufFormatsEXT");
    const auto modifiers = fixture::proc<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>("eglQueryDmaBufModifiersEXT");
    EGLint n = 0;
    CHECK(formats(dpy, 0, nullptr, &n));
    std::vector<EGLint> all(static_cast<size_t>(n));
    CHECK(formats(dpy, n, all.data(), &n));
    for (const Layout& l : kLayouts) {
        CHECK_MESSAGE(std::count(all.begin(), all.end(), code_of(l)) == 1, l.name);
        EGLuint64KHR modifier[4] = {1};
        EGLBoolean external[4] = {};
        CHECK(modifiers(dpy, code_of(l), 4, modifier, external, &n));
        CHECK(n == 1);
        CHECK(modifier[0] == 0);
        CHECK(external[0]);
    }
}

TEST_CASE_FIXTURE(Yuv, "dma-buf: a YUV image must have all planes, and each must be inside its memory") {
    Picture p(kLayouts[0], 8, 4);
    std::vector<EGLint> a = p.attributes();
    a.push_back(EGL_NONE);
    const auto with = [&](EGLint name, EGLint value) {
        std::vector<EGLint> changed = a;
        for (size_t i = 0; changed[i] != EGL_NONE; i += 2)
            if (changed[i] == name) changed[i + 1] = value;
        return create(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr, changed.data());
    };
    CHECK_EGL_ERROR(with(EGL_LINUX_DRM_FOURCC_EXT, code_of(kLayouts[4])), EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(with(EGL_DMA_BUF_PLANE1_OFFSET_EXT, kSize_B - 64), EGL_NO_IMAGE, EGL_BAD_ACCESS);
    CHECK_EGL_ERROR(with(EGL_DMA_BUF_PLANE1_FD_EXT, -1), EGL_NO_IMAGE, EGL_BAD_ACCESS);
    CHECK_EGL_ERROR(with(EGL_DMA_BUF_PLANE1_PITCH_EXT, 7), EGL_NO_IMAGE, EGL_BAD_ACCESS);
}
