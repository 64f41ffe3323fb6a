// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture environments, compared with tables 3.15 to 3.20, which this test repeats: all modes with all
// formats, and random combiners.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/api/es1/client.h"

using namespace es1_client;

namespace {

using Color = std::array<double, 4>;

Pixel bytes(const Color& c) {
    Pixel p;
    for (unsigned i = 0; i < 4; ++i)
        p[i] = uint8_t(std::lround(std::clamp(c[i], 0.0, 1.0) * 255));
    return p;
}
Color color(const Pixel& p) {
    return {p[0] / 255.0, p[1] / 255.0, p[2] / 255.0, p[3] / 255.0};
}

constexpr GLenum kFormats[] = {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_RGB, GL_RGBA};

/// The texel of a texture of this format with these bytes, as it is sampled.
std::vector<uint8_t> texel(GLenum format, const Pixel& p) {
    switch (format) {
        case GL_ALPHA:
            return {p[3]};
        case GL_LUMINANCE:
            return {p[0]};
        case GL_LUMINANCE_ALPHA:
            return {p[0], p[3]};
        case GL_RGB:
            return {p[0], p[1], p[2]};
        default:
            return {p[0], p[1], p[2], p[3]};
    }
}
Color sampled(GLenum format, const Pixel& p) {
    const Color c = color(p);
    switch (format) {
        case GL_ALPHA:
            return {0, 0, 0, c[3]};
        case GL_LUMINANCE:
            return {c[0], c[0], c[0], 1};
        case GL_LUMINANCE_ALPHA:
            return {c[0], c[0], c[0], c[3]};
        case GL_RGB:
            return {c[0], c[1], c[2], 1};
        default:
            return c;
    }
}

/// f: the fragment's colour; s: the texture's; e: the environment's.
Color simple(GLenum mode, GLenum format, const Color& f, const Color& s, const Color& e) {
    const bool has_color = format != GL_ALPHA, has_alpha = format != GL_LUMINANCE && format != GL_RGB;
    Color out = f;
    for (unsigned i = 0; i < 3; ++i) {
        if (!has_color) break;
        switch (mode) {
            case GL_REPLACE:
                out[i] = s[i];
                break;
            case GL_MODULATE:
                out[i] = f[i] * s[i];
                break;
            case GL_DECAL:
                out[i] = format == GL_RGB ? s[i] : f[i] * (1 - s[3]) + s[i] * s[3];
                break;
            case GL_BLEND:
                out[i] = f[i] * (1 - s[i]) + e[i] * s[i];
                break;
            default:
                out[i] = std::min(f[i] + s[i], 1.0);
        }
    }
    if (has_alpha && mode != GL_DECAL) out[3] = mode == GL_REPLACE ? s[3] : f[3] * s[3];
    return out;
}

struct Combiner {
    GLenum function, source[3], operand[3];
    int scale;
};

/// The inputs of combiners.
struct Inputs {
    Color textures[2], constant, primary, previous;
    unsigned unit;
};

const Color& source(const Inputs& in, GLenum s) {
    switch (s) {
        case GL_TEXTURE:
            return in.textures[in.unit];
        case GL_CONSTANT:
            return in.constant;
        case GL_PRIMARY_COLOR:
            return in.primary;
        case GL_PREVIOUS:
            return in.previous;
        default:
            return in.textures[s - GL_TEXTURE0];
    }
}

double argument(const Inputs& in, const Combiner& c, unsigned n, unsigned channel) {
    const Color& from = source(in, c.source[n]);
    switch (c.operand[n]) {
        case GL_SRC_COLOR:
            return from[channel];
        case GL_ONE_MINUS_SRC_COLOR:
            return 1 - from[channel];
        case GL_SRC_ALPHA:
            return from[3];
        default:
            return 1 - from[3];
    }
}

double combined(const Inputs& in, const Combiner& c, unsigned channel) {
    const auto arg = [&](unsigned n, unsigned ch) { return argument(in, c, n, ch); };
    const double a = arg(0, channel), b = arg(1, channel), t = arg(2, channel);
    double dot = 0;
    for (unsigned ch = 0; ch < 3; ++ch)
        dot += 4 * (arg(0, ch) - 0.5) * (arg(1, ch) - 0.5);
    switch (c.function) {
        case GL_REPLACE:
            return a;
        case GL_MODULATE:
            return a * b;
        case GL_ADD:
            return a + b;
        case GL_ADD_SIGNED:
            return a + b - 0.5;
        case GL_INTERPOLATE:
            return a * t + b * (1 - t);
        case GL_SUBTRACT:
            return a - b;
        default:
            return dot;
    }
}

Color combine(const Inputs& in, const Combiner& rgb, const Combiner& alpha) {
    Color out;
    for (unsigned i = 0; i < 3; ++i)
        out[i] = std::clamp(rgb.scale * combined(in, rgb, i), 0.0, 1.0);
    out[3] =
        rgb.function == GL_DOT3_RGBA ? out[0] : std::clamp(alpha.scale * combined(in, alpha, 3), 0.0, 1.0);
    return out;
}

class Random {
  public:
    Pixel pixel() {
        return {uint8_t(below(256)), uint8_t(below(256)), uint8_t(below(256)), uint8_t(below(256))};
    }
    unsigned below(unsigned n) { return unsigned(random_() % n); }
    Combiner combiner(bool alpha) {
        static constexpr GLenum kFunctions[] = {GL_REPLACE,     GL_MODULATE, GL_ADD,      GL_ADD_SIGNED,
                                                GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA};
        static constexpr GLenum kSources[] = {GL_TEXTURE,  GL_CONSTANT, GL_PRIMARY_COLOR,
                                              GL_PREVIOUS, GL_TEXTURE0, GL_TEXTURE1};
        static constexpr GLenum kOperands[] = {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR,
                                               GL_ONE_MINUS_SRC_COLOR};
        Combiner c;
        c.function = kFunctions[below(alpha ? 6 : 8)];
        for (unsigned i = 0; i < 3; ++i)
            c.source[i] = kSources[below(6)], c.operand[i] = kOperands[below(alpha ? 2 : 4)];
        c.scale = 1 << below(3);
        return c;
    }

  private:
    std::mt19937 random_{99};
};

void set_combiner(const Combiner& c, bool alpha) {
    glTexEnvi(GL_TEXTURE_ENV, alpha ? GL_COMBINE_ALPHA : GL_COMBINE_RGB, GLint(c.function));
    for (unsigned i = 0; i < 3; ++i) {
        glTexEnvi(GL_TEXTURE_ENV, (alpha ? GL_SRC0_ALPHA : GL_SRC0_RGB) + i, GLint(c.source[i]));
        glTexEnvi(GL_TEXTURE_ENV, (alpha ? GL_OPERAND0_ALPHA : GL_OPERAND0_RGB) + i, GLint(c.operand[i]));
    }
    glTexEnvf(GL_TEXTURE_ENV, alpha ? GL_ALPHA_SCALE : GL_RGB_SCALE, GLfloat(c.scale));
}

void set_color(const Pixel& p) {
    glColor4ub(p[0], p[1], p[2], p[3]);
}
void set_env_color(const Pixel& p) {
    const Color c = color(p);
    const GLfloat v[4] = {GLfloat(c[0]), GLfloat(c[1]), GLfloat(c[2]), GLfloat(c[3])};
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v);
}

}  // namespace

TEST_CASE("es1 pixels: every mode of texture environments with every format") {
    Client client;
    Random random;
    for (GLenum mode : {GL_REPLACE, GL_MODULATE, GL_DECAL, GL_BLEND, GL_ADD})
        for (GLenum format : kFormats) {
            if (mode == GL_DECAL && format != GL_RGB && format != GL_RGBA) continue;  // undefined
            const Pixel before = random.pixel(), texture = random.pixel(), env = random.pixel();
            client.texture(format, 1, 1, texel(format, texture).data());
            set_color(before);
            set_env_color(env);
            glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GLint(mode));
            client.quad();
            const Pixel drawn = client.pixel(),
                        expected =
                            bytes(simple(mode, format, color(before), sampled(format, texture), color(env)));
            INFO("mode " << mode << ", format " << format << ": drawn " << text(drawn) << ", expected "
                         << text(expected));
            CHECK(near(drawn, expected, 1));
        }
}

TEST_CASE("es1 pixels: random combiners of two units") {
    Client client;
    Random random;
    for (int i = 0; i < 80; ++i) {
        Inputs in;
        const Pixel primary = random.pixel();
        in.primary = in.previous = color(primary);
        Combiner rgb[2], alpha[2];
        Color constants[2];
        for (unsigned unit = 0; unit < 2; ++unit) {
            const GLenum format = kFormats[random.below(5)];
            const Pixel texture = random.pixel(), constant = random.pixel();
            glActiveTexture(GL_TEXTURE0 + unit);
            client.texture(format, 1, 1, texel(format, texture).data());
            in.textures[unit] = sampled(format, texture);
            constants[unit] = color(constant);
            set_env_color(constant);
            glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
            set_combiner(rgb[unit] = random.combiner(false), false);
            set_combiner(alpha[unit] = random.combiner(true), true);
        }
        for (unsigned unit = 0; unit < 2; ++unit) {
            in.unit = unit;
            in.constant = constants[unit];
            in.previous = combine(in, rgb[unit], alpha[unit]);
        }
        set_color(primary);
        client.quad();
        const Pixel drawn = client.pixel(), expected = bytes(in.previous);
        INFO("combination " << i << ": drawn " << text(drawn) << ", expected " << text(expected));
        CHECK(near(drawn, expected, 2));
    }
}

TEST_CASE("es1 pixels: texture matrices, projective coordinates, generated coordinates of a cube map") {
    Client client;
    const uint8_t texels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0};  // red, green; blue, yellow
    client.texture(GL_RGB, 2, 2, texels);
    glMultiTexCoord4f(GL_TEXTURE0, 0.25f, 0.25f, 0, 1);
    client.quad();
    CHECK(client.pixel() == Pixel{255, 0, 0, 255});
    glMatrixMode(GL_TEXTURE);
    glTranslatef(0.5f, 0, 0);
    client.quad();
    CHECK(client.pixel() == Pixel{0, 255, 0, 255});
    glLoadIdentity();
    glMultiTexCoord4f(GL_TEXTURE0, 0.5f, 1.5f, 0, 2);
    client.quad();
    CHECK(client.pixel() == Pixel{0, 0, 255, 255});
    glMatrixMode(GL_MODELVIEW);
    GLuint cube;
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP_OES, cube);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_OES, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP_OES, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (unsigned face = 0; face < 6; ++face) {
        const uint8_t texel[3] = {uint8_t(40 * face), uint8_t(255 - 40 * face), 7};
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X_OES + face, 0, GL_RGB, 1, 1, 0, GL_RGB, GL_UNSIGNED_BYTE,
                     texel);
    }
    glEnable(GL_TEXTURE_CUBE_MAP_OES);  // overrides GL_TEXTURE_2D
    glEnable(GL_TEXTURE_GEN_STR_OES);
    glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_NORMAL_MAP_OES);
    glNormal3f(0, -1, 0.2f);
    client.quad();
    CHECK(text(client.pixel()) == text({120, 135, 7, 255}));
    // From the eye at the origin to (0, 0, -0.5), reflected by a surface that faces +x and the eye: the
    // direction is +x.
    glTexGeniOES(GL_TEXTURE_GEN_STR_OES, GL_TEXTURE_GEN_MODE_OES, GL_REFLECTION_MAP_OES);
    glNormal3f(0.70710678f, 0, 0.70710678f);
    const GLfloat middle[3] = {0, 0, -0.5f};
    glVertexPointer(3, GL_FLOAT, 0, middle);
    glPointSize(3);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(client.pixel() == Pixel{0, 255, 7, 255});
}
