// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Language rules that glslang does not check, or only checks when it links.
#include "shaders/glsl/rules.h"

#include <algorithm>

namespace terrazzo::shaders::glsl {

bool check_rules(const Scan& scan, int version, ir::Stage stage, std::string& log) {
    bool ok = true;
    const auto error = [&](const std::string& message) {
        log += "ERROR: 0:0: " + message + "\n";
        ok = false;
    };
    // ESSL 1.00 7.2: "A shader may assign to gl_FragColor or to gl_FragData, but not to both."
    // EXT_blend_func_extended: the same holds for the secondary one of the other.
    for (const char* color : {"gl_FragColor", "gl_SecondaryFragColorEXT"})
        for (const char* data : {"gl_FragData", "gl_SecondaryFragDataEXT"})
            if (stage == ir::Stage::Fragment && scan.writes_builtin(color) && scan.writes_builtin(data))
                error("'" + std::string(color) + "' and '" + data +
                      "' : a shader may assign to one of them, not to both");
    // ESSL 1.00 4.6.4: "It is an error to declare gl_FrontFacing as invariant."
    if (version == 100 && scan.is_invariant("gl_FrontFacing"))
        error("'gl_FrontFacing' : cannot be declared invariant");
    // ESSL 3.00 4.6.1: "It is an error to use this pragma in a fragment shader."
    if (version >= 300 && stage == ir::Stage::Fragment && scan.invariant_all())
        error("'#pragma STDGL invariant(all)' : not allowed in a fragment shader");
    return ok;
}

}  // namespace terrazzo::shaders::glsl
