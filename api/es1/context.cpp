// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/es1/context.h"

#include <algorithm>

#include "api/es1/programs.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::es1 {

int Context::version_below(const pipe::Screen& screen) {
    return std::max(30, int(screen.caps().gles_version));
}

Context::Context(st::Context& g)
    : gl(g),
      programs(std::make_unique<Programs>()),
      rectangle(pipe::Ref<st::VertexArray>::adopt(new st::VertexArray(0))) {
    stamps.fill(1);
    // Light 0 is white (table 6.9).
    state.lights[0].diffuse = state.lights[0].specular = {1, 1, 1, 1};
    state.point.max = gl.limits.point_size[1];
    st::VertexAttrib4f(gl, attribute::kColor, 1, 1, 1, 1);
    st::VertexAttrib4f(gl, attribute::kNormal, 0, 0, 1, 1);
    st::VertexAttrib4f(gl, attribute::kPointSize, 1, 0, 0, 1);
    for (unsigned unit = 0; unit < kUnits; ++unit)
        st::VertexAttrib4f(gl, attribute::kTexCoord + unit, 0, 0, 0, 1);
    const std::string& below = gl.version_string;  // "OpenGL ES 3.2 Terrazzo 0.1.0"
    version_string = "OpenGL ES-CM 1.1 " + below.substr(below.find("Terrazzo"));
    for (const ExtensionRow& e : kExtensions) {
        if (e.device && gl.extension_string.find(e.device) == std::string::npos) continue;
        extension_string += std::string(extension_string.empty() ? "" : " ") + e.name;
    }
}

Context::~Context() {
    st::UseProgram(gl, 0);
}

}  // namespace terrazzo::es1
