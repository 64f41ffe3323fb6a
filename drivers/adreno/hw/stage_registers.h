// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers of the stages before the rasterizer: each stage has its own copies, whose structs have the same
// fields.
#pragma once

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::hw {

#define TERRAZZO_STAGE_CODE(XS)                      \
    using Control = SP_##XS##_CTRL_REG0;             \
    using Start = SP_##XS##_OBJ_START;               \
    using First = SP_##XS##_OBJ_FIRST_EXEC_OFFSET;   \
    using Length = SP_##XS##_INSTRLEN;               \
    using PrivateParam = SP_##XS##_PVT_MEM_PARAM;    \
    using PrivateAddress = SP_##XS##_PVT_MEM_ADDR;   \
    using PrivateSize = SP_##XS##_PVT_MEM_SIZE;      \
    using Stack = SP_##XS##_PVT_MEM_HW_STACK_OFFSET; \
    using Hlsq = HLSQ_##XS##_CNTL;                   \
    using OutControl = PC_##XS##_OUT_CNTL;           \
    static constexpr const char* kLetters = #XS

#define TERRAZZO_STAGE_OUTPUTS(XS)              \
    using Count = SP_##XS##_PRIMITIVE_CNTL;     \
    using Out = SP_##XS##_OUT;                  \
    using Destination = SP_##XS##_VPC_DST;      \
    using Pack = VPC_##XS##_PACK;               \
    using Layer = VPC_##XS##_LAYER_CNTL;        \
    using Layer2 = VPC_##XS##_LAYER_CNTL_V2;    \
    using WritesLayer = GRAS_##XS##_LAYER_CNTL; \
    using Clip = VPC_##XS##_CLIP_CNTL;          \
    using Clip2 = VPC_##XS##_CLIP_CNTL_V2;      \
    using ClipMasks = GRAS_##XS##_CL_CNTL

struct VertexStage {
    static constexpr const char* kName = "vertex shader";
    TERRAZZO_STAGE_CODE(VS);
    TERRAZZO_STAGE_OUTPUTS(VS);
};
struct HullStage {
    static constexpr const char* kName = "hull shader";
    TERRAZZO_STAGE_CODE(HS);
};
struct DomainStage {
    static constexpr const char* kName = "domain shader";
    TERRAZZO_STAGE_CODE(DS);
    TERRAZZO_STAGE_OUTPUTS(DS);
};
struct GeometryStage {
    static constexpr const char* kName = "geometry shader";
    TERRAZZO_STAGE_CODE(GS);
    TERRAZZO_STAGE_OUTPUTS(GS);
};

#undef TERRAZZO_STAGE_CODE
#undef TERRAZZO_STAGE_OUTPUTS

}  // namespace terrazzo::adreno::hw
