// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The three gears that every GL has drawn since 1993, with OpenGL ES 1.1's features: matrix stacks, lights, a
// texture that modulates them, fog on a mipmapped floor, and sparks that are point sprites.
#include <GLES/gl.h>
#include <GLES/glext.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "examples/scenes/scenes.h"

namespace example {
namespace {

struct Vertex {
    GLfloat position[3];
    GLfloat normal[3];
    GLfloat coords[2];
};

struct Point {
    float x, y;
};

/// A wheel between z = -depth / 2 and depth / 2, as separate triangles.
class Gear {
  public:
    Gear(float hole, float radius, float depth, int teeth, float tooth) : depth_(depth) {
        const float step = 6.2831853f / float(teeth) / 4;
        for (int i = 0; i < teeth * 4; ++i) {
            const float a = float(i) * step, b = float(i + 1) * step;
            // A tooth's four steps: up, along the top, down, along the bottom.
            const float low = radius - tooth / 2, high = radius + tooth / 2;
            const float from = i % 4 == 1 || i % 4 == 2 ? high : low,
                        to = i % 4 == 0 || i % 4 == 1 ? high : low;
            const Point inner0 = at(hole, a), inner1 = at(hole, b), outer0 = at(from, a), outer1 = at(to, b);
            face(inner0, outer0, outer1, inner1, 1);
            face(inner1, outer1, outer0, inner0, -1);
            side(outer0, outer1);
            side(inner1, inner0);
        }
    }
    void draw() const {
        glVertexPointer(3, GL_FLOAT, sizeof(Vertex), vertices_[0].position);
        glNormalPointer(GL_FLOAT, sizeof(Vertex), vertices_[0].normal);
        glTexCoordPointer(2, GL_FLOAT, sizeof(Vertex), vertices_[0].coords);
        glDrawArrays(GL_TRIANGLES, 0, GLsizei(vertices_.size()));
    }

  private:
    static Point at(float r, float angle) { return {r * std::cos(angle), r * std::sin(angle)}; }
    void face(Point a, Point b, Point c, Point d, float towards) {
        const float z = towards * depth_ / 2;
        const auto corner = [&](Point p) {
            vertices_.push_back({{p.x, p.y, z}, {0, 0, towards}, {p.x / 2, p.y / 2}});
        };
        for (Point p : {a, b, c, a, c, d})
            corner(p);
    }
    /// The outside is on the right of the path from a to b.
    void side(Point a, Point b) {
        const float x = b.y - a.y, y = a.x - b.x, length = std::sqrt(x * x + y * y), z = depth_ / 2;
        const auto corner = [&](Point p, float at_z) {
            vertices_.push_back({{p.x, p.y, at_z}, {x / length, y / length, 0}, {(p.x + p.y) / 2, at_z}});
        };
        corner(a, z), corner(a, -z), corner(b, -z), corner(a, z), corner(b, -z), corner(b, z);
    }
    float depth_;
    std::vector<Vertex> vertices_;
};

/// A luminance texture: brushed metal, or tiles.
GLuint make_texture(bool tiles) {
    constexpr unsigned kSize = 64;
    std::vector<uint8_t> texels(kSize * kSize);
    uint32_t random = 12345;
    for (unsigned y = 0; y < kSize; ++y)
        for (unsigned x = 0; x < kSize; ++x) {
            random = random * 1664525 + 1013904223;
            const unsigned noise = random >> 27;
            const bool dark = (x / 32 + y / 32) % 2;
            texels[y * kSize + x] =
                uint8_t(tiles ? (dark ? 90 : 200) + noise / 4 : 190 + (y * 37 % 32) + noise);
        }
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, kSize, kSize, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE,
                 texels.data());
    return texture;
}

void set_lights() {
    const GLfloat sun[4] = {3, 5, 6, 0}, lamp[4] = {-4, 3, 3, 1}, blue[4] = {0.3f, 0.4f, 0.9f, 1},
                  down[3] = {0.7f, -0.5f, -0.6f};
    glLightfv(GL_LIGHT0, GL_POSITION, sun);
    glLightfv(GL_LIGHT1, GL_POSITION, lamp);
    glLightfv(GL_LIGHT1, GL_DIFFUSE, blue);
    glLightfv(GL_LIGHT1, GL_SPECULAR, blue);
    glLightfv(GL_LIGHT1, GL_SPOT_DIRECTION, down);
    glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 45);
    glLightf(GL_LIGHT1, GL_SPOT_EXPONENT, 2);
    glLightf(GL_LIGHT1, GL_LINEAR_ATTENUATION, 0.05f);
    glEnable(GL_LIGHT0);
    glEnable(GL_LIGHT1);
}

void draw_gear(const Gear& gear, float x, float y, float angle, GLfloat r, GLfloat g, GLfloat b) {
    const GLfloat color[4] = {r, g, b, 1}, shine[4] = {0.7f, 0.7f, 0.7f, 1};
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, color);
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, shine);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 24);
    glPushMatrix();
    glTranslatef(x, y, 0);
    glRotatef(angle, 0, 0, 1);
    gear.draw();
    glPopMatrix();
}

void draw_floor() {
    static const GLfloat corners[] = {-30, -5.5f, 10, 30, -5.5f, 10, -30, -5.5f, -60, 30, -5.5f, -60};
    static const GLfloat coords[] = {0, 0, 12, 0, 0, 14, 12, 14};
    const GLfloat haze[4] = {0.35f, 0.4f, 0.5f, 1};
    glFogf(GL_FOG_MODE, GL_EXP2);
    glFogf(GL_FOG_DENSITY, 0.028f);
    glFogfv(GL_FOG_COLOR, haze);
    glEnable(GL_FOG);
    glColor4f(0.8f, 0.7f, 0.6f, 1);
    glVertexPointer(3, GL_FLOAT, 0, corners);
    glTexCoordPointer(2, GL_FLOAT, 0, coords);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisable(GL_FOG);
}

/// A round spark in alpha; the points' sizes shrink with their distance.
void draw_sparks() {
    constexpr unsigned kSize = 16;
    uint8_t texels[kSize * kSize];
    for (unsigned i = 0; i < kSize * kSize; ++i) {
        const float x = float(i % kSize) - 7.5f, y = float(i / kSize) - 7.5f,
                    r = std::sqrt(x * x + y * y) / 8;
        texels[i] = r < 1 ? uint8_t(255 * (1 - r)) : 0;
    }
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, kSize, kSize, 0, GL_ALPHA, GL_UNSIGNED_BYTE, texels);
    std::vector<GLfloat> points;
    for (int i = 0; i < 60; ++i) {
        const float t = float(i) / 60, a = t * 40;
        points.insert(points.end(),
                      {1.2f + 3 * t * std::cos(a), 0.5f + 5 * t - 6 * t * t, 1 + 3 * t * std::sin(a)});
    }
    const GLfloat attenuation[3] = {0, 0, 0.004f};
    glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, attenuation);
    glPointSize(14);
    glEnable(GL_POINT_SPRITE_OES);
    glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, GL_TRUE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE);
    glDepthMask(GL_FALSE);
    glColor4f(1, 0.7f, 0.3f, 1);
    glVertexPointer(3, GL_FLOAT, 0, points.data());
    glDrawArrays(GL_POINTS, 0, 60);
}

}  // namespace

void draw_gears(int width, int height) {
    glViewport(0, 0, width, height);
    glClearColor(0.35f, 0.4f, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    const float aspect = float(width) / float(height);
    glFrustumf(-aspect, aspect, -1, 1, 2, 100);
    glMatrixMode(GL_MODELVIEW);
    glTranslatef(0, 0.6f, -17);
    glRotatef(12, 1, 0, 0);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    glEnable(GL_TEXTURE_2D);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    make_texture(true);
    draw_floor();

    make_texture(false);
    set_lights();
    glEnable(GL_LIGHTING);
    glEnable(GL_NORMALIZE);
    glEnableClientState(GL_NORMAL_ARRAY);
    glPushMatrix();
    glRotatef(25, 0, 1, 0);
    draw_gear(Gear(1, 4, 1, 20, 0.7f), -3, -2, 25, 0.8f, 0.1f, 0.05f);
    draw_gear(Gear(0.5f, 2, 2, 10, 0.7f), 3.1f, -2, -59, 0.05f, 0.7f, 0.2f);
    draw_gear(Gear(1.3f, 2, 0.5f, 10, 0.7f), -3.1f, 4.2f, -75, 0.25f, 0.25f, 1);
    glPopMatrix();
    glDisable(GL_LIGHTING);
    glDisableClientState(GL_NORMAL_ARRAY);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    draw_sparks();
}

}  // namespace example
