// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A cube of side 2 around the origin: 24 vertices, so that each face has its own normal and texture
// coordinates.
#pragma once

#include <GLES2/gl2.h>

#include <initializer_list>

namespace example {

struct CubeVertex {
    float position[3], normal[3], texcoord[2];
};

struct Cube {
    CubeVertex vertices[24];
    GLushort indices[36];
};

/// Triangles are counter-clockwise seen from outside.
inline Cube make_cube() {
    Cube cube{};
    int v = 0, n = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = -1; side <= 1; side += 2) {
            const int u_axis = (axis + 1) % 3, v_axis = (axis + 2) % 3;
            for (GLushort corner : {0, 1, 2, 2, 1, 3})
                cube.indices[n++] = GLushort(v + corner);
            for (int corner = 0; corner < 4; ++corner, ++v) {
                const int s = corner & 1, t = corner >> 1;
                CubeVertex& out = cube.vertices[v];
                out.position[axis] = float(side);
                out.position[u_axis] = float(side * (2 * s - 1));  // mirrored on the back: keeps the winding
                out.position[v_axis] = float(2 * t - 1);
                out.normal[axis] = float(side);
                out.texcoord[0] = float(s);
                out.texcoord[1] = float(t);
            }
        }
    return cube;
}

/// Points attributes 0, 1, 2 (position, normal, texture coordinates) at the cube, which must live until it is
/// drawn.
inline void use_cube(const Cube& cube) {
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(CubeVertex), cube.vertices[0].position);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(CubeVertex), cube.vertices[0].normal);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, sizeof(CubeVertex), cube.vertices[0].texcoord);
    for (GLuint i = 0; i < 3; ++i)
        glEnableVertexAttribArray(i);
}

inline void draw_cube(const Cube& cube) {
    glDrawElements(GL_TRIANGLES, 36, GL_UNSIGNED_SHORT, cube.indices);
}

}  // namespace example
