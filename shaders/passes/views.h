// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OVR_multiview: a draw to several views is one draw to a layered render pass, with `views` times as many
// instances. Instance i is instance i / views of view i % views, and its primitives go to the layer with the
// view's number. So a driver does not know about views: its vertex stage can write VaryingSlot::Layer
// (pipe::Caps::instance_layers). Each pass is opened once for all views.
#pragma once

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// The name of the input variable for gl_ViewID_OVR.
inline constexpr const char kViewVar[] = "gl_ViewID_OVR";

/// What a shader reads of the two.
struct ViewUses {
    bool view = false, instance = false;  // gl_ViewID_OVR, gl_InstanceID
};

/// Lowers a vertex or fragment shader that draws to `views` layers of a pass; runs before its inputs and
/// outputs are lowered. No load of kViewVar is left. With one view gl_ViewID_OVR is 0 and no layer is
/// written.
ViewUses lower_views(Shader& s, uint32_t views);

}  // namespace terrazzo::ir
