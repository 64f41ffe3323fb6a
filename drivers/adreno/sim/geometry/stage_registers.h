// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers of the stages before the rasterizer: each stage has its own copy of the same ones, and their structs have the same fields.
#pragma once

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

#define TERRAZZO_STAGE_PROGRAM(XS)                     \
    using Control = hw::SP_##XS##_CTRL_REG0;           \
    using Start = hw::SP_##XS##_OBJ_START;             \
    using First = hw::SP_##XS##_OBJ_FIRST_EXEC_OFFSET; \
    using Length = hw::SP_##XS##_INSTRLEN;             \
    using PrivateParam = hw::SP_##XS##_PVT_MEM_PARAM;  \
    using PrivateAddress = hw::SP_##XS##_PVT_MEM_ADDR; \
    using PrivateSize = hw::SP_##XS##_PVT_MEM_SIZE;    \
    using Hlsq = hw::HLSQ_##XS##_CNTL;                 \
    static constexpr const char* kLetters = #XS

#define TERRAZZO_STAGE_OUTPUTS(XS)              \
    using Count = hw::SP_##XS##_PRIMITIVE_CNTL; \
    using Out = hw::SP_##XS##_OUT;              \
    using Destination = hw::SP_##XS##_VPC_DST;  \
    using Pack = hw::VPC_##XS##_PACK;           \
    using OutControl = hw::PC_##XS##_OUT_CNTL;  \
    using Layer = hw::VPC_##XS##_LAYER_CNTL;    \
    using Clip = hw::VPC_##XS##_CLIP_CNTL;      \
    using ClipMasks = hw::GRAS_##XS##_CL_CNTL

struct VertexRegisters {
    static constexpr const char* kName = "vertex shader";
    TERRAZZO_STAGE_PROGRAM(VS);
    TERRAZZO_STAGE_OUTPUTS(VS);
};
struct HullRegisters {
    static constexpr const char* kName = "hull shader";
    TERRAZZO_STAGE_PROGRAM(HS);
};
struct DomainRegisters {
    static constexpr const char* kName = "domain shader";
    TERRAZZO_STAGE_PROGRAM(DS);
    TERRAZZO_STAGE_OUTPUTS(DS);
};
struct GeometryRegisters {
    static constexpr const char* kName = "geometry shader";
    TERRAZZO_STAGE_PROGRAM(GS);
    TERRAZZO_STAGE_OUTPUTS(GS);
};

#undef TERRAZZO_STAGE_PROGRAM
#undef TERRAZZO_STAGE_OUTPUTS

}  // namespace terrazzo::adreno::sim
