// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The behaviour of messages to a unit that a stage does not have.
#include "drivers/mali/sim/core/units.h"

namespace terrazzo::mali::sim {

namespace {

bool absent(const char* what, std::string* why) {
    *why = std::string("this stage has no ") + what;
    return false;
}

}  // namespace

bool Units::attribute(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("attribute unit", why);
}
bool Units::load_buffer(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("buffer descriptors", why);
}
bool Units::varying(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("varyings", why);
}
bool Units::texture(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("texture unit", why);
}
bool Units::alpha_test(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("alpha test", why);
}
bool Units::depth_stencil(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("depth and stencil unit", why);
}
bool Units::blend(Warp&, const MessageIn&, BlendPath*, std::string* why) {
    return absent("blend unit", why);
}
bool Units::tile(Warp&, const MessageIn&, U32*, std::string* why) {
    return absent("tile buffer", why);
}
bool Units::store_converted(Warp&, const MessageIn&, std::string* why) {
    return absent("converting stores", why);
}
bool Units::barrier(Warp&, std::string* why) {
    return absent("barriers", why);
}

}  // namespace terrazzo::mali::sim
