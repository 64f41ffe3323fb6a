// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/state_context.h"

namespace terrazzo::contexts {

const char* group_name(pipe::Stage s, Group g) {
    if (s != pipe::Stage::Vertex && s != pipe::Stage::Fragment)
        return "a stage other than vertex and fragment";
    switch (g) {
        case Group::Blocks:
            return "a uniform block";
        case Group::Storage:
            return "a storage buffer or an image of a shader";
        case Group::Uniforms:
        case Group::Textures:
        case Group::Order:
            break;
    }
    return "a texture or a uniform of this stage";
}

}  // namespace terrazzo::contexts
