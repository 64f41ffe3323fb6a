// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Lighting, compared with the equation of section 2.12.1, which this test repeats.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/api/es1/client.h"

using namespace es1_client;

namespace {

using Vec = std::array<double, 4>;

double dot(const Vec& a, const Vec& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vec normalized(const Vec& v) {
    const double length = std::sqrt(dot(v, v));
    return {v[0] / length, v[1] / length, v[2] / length, 0};
}

struct Light {
    Vec ambient, diffuse, specular, position, direction;
    double exponent, cutoff, k0, k1, k2;
};
struct Scene {
    Vec scene_ambient, ambient, diffuse, specular, emission, normal, vertex;
    double shininess;
    std::vector<Light> lights;
};

Vec lit(const Scene& s) {
    Vec sum = s.emission;
    for (unsigned c = 0; c < 3; ++c)
        sum[c] += s.ambient[c] * s.scene_ambient[c];
    const Vec n = normalized(s.normal);
    for (const Light& l : s.lights) {
        Vec to = l.position;
        double factor = 1;
        if (l.position[3] != 0) {
            for (unsigned c = 0; c < 3; ++c)
                to[c] = l.position[c] / l.position[3] - s.vertex[c];
            const double d = std::sqrt(dot(to, to));
            factor = 1 / (l.k0 + l.k1 * d + l.k2 * d * d);
        }
        to = normalized(to);
        if (l.cutoff != 180) {
            const double cosine = -dot(to, normalized(l.direction));
            factor *=
                cosine < std::cos(l.cutoff * M_PI / 180) ? 0 : std::pow(std::max(cosine, 0.0), l.exponent);
        }
        const Vec half = normalized({to[0], to[1], to[2] + 1, 0});
        const double nl = std::max(dot(n, to), 0.0),
                     nh = nl > 0 ? std::pow(std::max(dot(n, half), 0.0), s.shininess) : 0;
        for (unsigned c = 0; c < 3; ++c)
            sum[c] += factor * (s.ambient[c] * l.ambient[c] + nl * s.diffuse[c] * l.diffuse[c] +
                                nh * s.specular[c] * l.specular[c]);
    }
    sum[3] = s.diffuse[3];
    return sum;
}

Pixel bytes(const Vec& v) {
    Pixel p;
    for (unsigned c = 0; c < 4; ++c)
        p[c] = uint8_t(std::lround(std::clamp(v[c], 0.0, 1.0) * 255));
    return p;
}

struct Floats {
    GLfloat v[4];
    Floats(const Vec& x) : v{GLfloat(x[0]), GLfloat(x[1]), GLfloat(x[2]), GLfloat(x[3])} {}
};

class RandomScene {
  public:
    explicit RandomScene(unsigned seed) : random_(seed) {}
    Scene make() {
        Scene s;
        s.scene_ambient = color(0.3), s.ambient = color(0.6), s.diffuse = color(0.7), s.specular = color(0.6),
        s.emission = color(0.1);
        s.vertex = {number(-2, 2), number(-2, 2), number(-6, -3), 1};
        s.normal = {number(-1, 1), number(-1, 1), number(0.1, 2), 0};
        s.shininess = number(0, 40);
        const unsigned count = 1 + random_() % 8;
        for (unsigned i = 0; i < count; ++i)
            s.lights.push_back(light(s.vertex));
        return s;
    }

  private:
    double number(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    Vec color(double most) { return {number(0, most), number(0, most), number(0, most), number(0, 1)}; }
    Light light(const Vec& vertex) {
        Light l;
        l.ambient = color(0.2), l.diffuse = color(0.5), l.specular = color(0.5);
        l.position = {number(-5, 5), number(-5, 5), number(-2, 4), 0};
        if (random_() % 2) l.position[3] = number(0.5, 2);
        const bool spot = random_() % 2;
        l.cutoff = spot ? number(10, 90) : 180;
        // Roughly towards the vertex, so that part of the cone's light reaches it.
        for (unsigned c = 0; c < 3; ++c)
            l.direction[c] = vertex[c] - l.position[c] + number(-2, 2);
        l.exponent = number(0, 8);
        l.k0 = number(0.3, 1), l.k1 = number(0, 0.1), l.k2 = number(0, 0.02);
        return l;
    }
    std::mt19937 random_;
};

void set_light(GLenum name, const Light& l) {
    glLightfv(name, GL_AMBIENT, Floats(l.ambient).v);
    glLightfv(name, GL_DIFFUSE, Floats(l.diffuse).v);
    glLightfv(name, GL_SPECULAR, Floats(l.specular).v);
    glLightfv(name, GL_POSITION, Floats(l.position).v);
    glLightfv(name, GL_SPOT_DIRECTION, Floats(l.direction).v);
    glLightf(name, GL_SPOT_CUTOFF, GLfloat(l.cutoff));
    glLightf(name, GL_SPOT_EXPONENT, GLfloat(l.exponent));
    glLightf(name, GL_CONSTANT_ATTENUATION, GLfloat(l.k0));
    glLightf(name, GL_LINEAR_ATTENUATION, GLfloat(l.k1));
    glLightf(name, GL_QUADRATIC_ATTENUATION, GLfloat(l.k2));
    glEnable(name);
}

void set_material(const Scene& s) {
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT, Floats(s.ambient).v);
    glMaterialfv(GL_FRONT_AND_BACK, GL_DIFFUSE, Floats(s.diffuse).v);
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, Floats(s.specular).v);
    glMaterialfv(GL_FRONT_AND_BACK, GL_EMISSION, Floats(s.emission).v);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, GLfloat(s.shininess));
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, Floats(s.scene_ambient).v);
}

/// A point at the vertex, in the middle of the picture. The modelview scales by 2, so that normals must be
/// normalized.
void draw_vertex(const Scene& s) {
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrthof(GLfloat(s.vertex[0] - 1), GLfloat(s.vertex[0] + 1), GLfloat(s.vertex[1] - 1),
             GLfloat(s.vertex[1] + 1), 0.1f, 20);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    for (unsigned i = 0; i < s.lights.size(); ++i)
        set_light(GL_LIGHT0 + i, s.lights[i]);
    glScalef(2, 2, 2);
    const GLfloat position[3] = {GLfloat(s.vertex[0] / 2), GLfloat(s.vertex[1] / 2),
                                 GLfloat(s.vertex[2] / 2)};
    glNormal3f(GLfloat(s.normal[0]), GLfloat(s.normal[1]), GLfloat(s.normal[2]));
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, position);
    glDrawArrays(GL_POINTS, 0, 1);
}

}  // namespace

TEST_CASE("es1 pixels: lighting follows the specification's equation, with random lights and materials") {
    Client client;
    glEnable(GL_LIGHTING);
    glEnable(GL_NORMALIZE);
    glPointSize(5);
    RandomScene random(42);
    for (int i = 0; i < 60; ++i) {
        const Scene s = random.make();
        for (unsigned l = 0; l < 8; ++l)
            glDisable(GL_LIGHT0 + l);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        set_material(s);
        draw_vertex(s);
        const Pixel drawn = client.pixel(), expected = bytes(lit(s));
        INFO("scene " << i << ": drawn " << text(drawn) << ", expected " << text(expected));
        CHECK(near(drawn, expected, 2));
    }
}

TEST_CASE("es1 pixels: colour material, rescaled normals, two sides") {
    Client client;
    const GLfloat towards[4] = {0, 0, 1, 0}, away[4] = {0, 0, -1, 0}, white[4] = {1, 1, 1, 1},
                  none[4] = {0, 0, 0, 1};
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, white);
    glLightfv(GL_LIGHT0, GL_POSITION, towards);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, none);
    glColor4f(0.2f, 0.4f, 0.6f, 0.8f);
    glEnable(GL_COLOR_MATERIAL);
    client.quad();
    CHECK(near(client.pixel(), {51, 102, 153, 204}, 1));
    // A scale of 2 halves normals, and the light with them.
    glScalef(2, 2, 2);
    client.quad();
    CHECK(near(client.pixel(), {26, 51, 77, 204}, 1));
    glEnable(GL_RESCALE_NORMAL);
    client.quad();
    CHECK(near(client.pixel(), {51, 102, 153, 204}, 1));
    glLoadIdentity();
    glDisable(GL_RESCALE_NORMAL);
    // The light is on the other side: the back faces it.
    glLightfv(GL_LIGHT0, GL_POSITION, away);
    client.quad();
    CHECK(near(client.pixel(), {0, 0, 0, 204}, 1));
    glLightModelf(GL_LIGHT_MODEL_TWO_SIDE, 1);
    client.quad();
    CHECK(near(client.pixel(), {0, 0, 0, 204}, 1));
    glFrontFace(GL_CW);
    client.quad();
    CHECK(near(client.pixel(), {51, 102, 153, 204}, 1));
}
