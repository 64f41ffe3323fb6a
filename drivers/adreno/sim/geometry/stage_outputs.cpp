// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the registers' meaning: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_program.cc
// (emit_vpc).
#include "drivers/adreno/sim/geometry/stage_outputs.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/hw/stage_registers.h"
#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMaxOutputs = 32;

std::string vpc(const char* letters, const char* what) {
    return std::string("VPC_") + letters + what;
}

}  // namespace

bool StageOutputs::add_output(const char* letters, uint32_t regid, uint32_t mask, uint32_t location,
                              Fault* fault) {
    for (unsigned c = 0; c < 4; ++c) {
        if (!(mask >> c & 1)) continue;
        if (regid + c >= kFullRegisters)
            return fail(fault, "SP_", letters, "_OUT names r", (regid + c) / 4,
                        ", which is no register of a lane");
        if (location + c >= stride_)
            return fail(fault, "SP_", letters, "_VPC_DST: location ", location + c, " is beyond ",
                        vpc(letters, "_PACK's stride of "), stride_);
        outputs_.push_back({uint8_t(regid + c), uint8_t(location + c)});
    }
    return true;
}

template <class R>
bool StageOutputs::decode(const Registers& r, Fault* fault) {
    RegisterReader in(r, fault);
    const auto count = in.get<typename R::Count>().value;
    const auto pack = in.get<typename R::Pack>().value;
    const uint32_t pc_stride = in.get<typename R::OutControl>().value.stride_in_vpc;
    if (!in) return false;
    name_ = R::kName;
    const std::string letters = R::kLetters;
    if (count.out > kMaxOutputs)
        return fail(fault, "SP_", letters, "_PRIMITIVE_CNTL has ", count.out, " outputs, of at most 32");
    if (pc_stride != pack.stride_in_vpc)
        return fail(fault, "PC_", letters, "_OUT_CNTL and VPC_", letters, "_PACK have strides of ", pc_stride,
                    " and ", pack.stride_in_vpc);
    stride_ = pack.stride_in_vpc;
    position_ = uint8_t(pack.positionloc);
    point_size_ = uint8_t(pack.psizeloc);
    flags_ = {uint8_t(count.flags_regid)};
    if ((position_ != kNoLocation && position_ + 4u > stride_) ||
        (point_size_ != kNoLocation && point_size_ >= stride_))
        return fail(fault, vpc(R::kLetters, "_PACK: position or point size is beyond its stride"));
    outputs_.clear();
    for (unsigned i = 0; i < count.out; ++i) {
        const auto out = in.get<typename R::Out>(i / 2);
        const auto dst = in.get<typename R::Destination>(i / 4);
        if (!in) return false;
        const uint32_t location[4] = {dst.outloc0, dst.outloc1, dst.outloc2, dst.outloc3};
        const bool good = i % 2 == 0
                              ? add_output(R::kLetters, out.a_regid, out.a_compmask, location[i % 4], fault)
                              : add_output(R::kLetters, out.b_regid, out.b_compmask, location[i % 4], fault);
        if (!good) return false;
    }
    return true;
}

template <class R>
bool StageOutputs::decode_raster(const Registers& r, Fault* fault) {
    RegisterReader in(r, fault);
    const auto layer = in.get<typename R::Layer>().value;
    const auto clip = in.get<typename R::Clip>().value;
    const auto masks = in.get<typename R::ClipMasks>().value;
    if (!in) return false;
    layer_ = uint8_t(layer.layerloc);
    view_ = uint8_t(layer.viewloc);
    clip_mask_ = uint8_t(masks.clip_mask);
    cull_mask_ = uint8_t(masks.cull_mask);
    const auto beyond = [&](unsigned location) { return location != kNoLocation && location >= stride_; };
    if (beyond(layer_) || beyond(view_))
        return fail(fault, vpc(R::kLetters, "_LAYER_CNTL: a location is beyond "),
                    vpc(R::kLetters, "_PACK's stride"));
    // Distances follow each other; those that are not in the mask leave gaps.
    for (unsigned i = 0; i < 8; ++i) {
        const uint32_t first = i < 4 ? clip.clip_dist_03_loc : clip.clip_dist_47_loc;
        distance_[i] = uint8_t(first + i % 4);
        if (!((clip_mask_ | cull_mask_) >> i & 1)) continue;
        if (first == kNoLocation || first + i % 4 >= stride_)
            return fail(fault, "GRAS_", R::kLetters, "_CL_CNTL asks for clip distance ", i, ", of which ",
                        vpc(R::kLetters, "_CLIP_CNTL has no location"));
    }
    return true;
}

bool StageOutputs::init(const Registers& r, Stage last, Fault* fault) {
    stage_ = last;
    return last == Stage::Vertex   ? decode<hw::VertexStage>(r, fault)
           : last == Stage::Domain ? decode<hw::DomainStage>(r, fault)
                                   : decode<hw::GeometryStage>(r, fault);
}

bool StageOutputs::init_raster(const Registers& r, Fault* fault) {
    return stage_ == Stage::Vertex   ? decode_raster<hw::VertexStage>(r, fault)
           : stage_ == Stage::Domain ? decode_raster<hw::DomainStage>(r, fault)
                                     : decode_raster<hw::GeometryStage>(r, fault);
}

bool StageOutputs::read(const Wave& wave, unsigned count, uint32_t* values, Fault* fault) const {
    for (const Output& o : outputs_) {
        const isa::Reg reg{o.reg};
        if (!wave.arrived(reg, false))
            return fail(fault, FaultKind::Shader, name_, ": it ends before r", o.reg / 4, ".",
                        "xyzw"[o.reg % 4], ", an output, has its result");
        for (unsigned g = 0; g * kGroupLanes < count; ++g) {
            U32 group;
            if (!wave.get_group(reg, false, g, &group))
                return fail(fault, name_, ": r", o.reg / 4, ", an output, cannot be read");
            const unsigned lanes = std::min(kGroupLanes, count - g * kGroupLanes);
            uint32_t* to = values + size_t(g) * kGroupLanes * stride_ + o.location;
            for (unsigned lane = 0; lane < lanes; ++lane, to += stride_)
                *to = group[lane];
        }
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
