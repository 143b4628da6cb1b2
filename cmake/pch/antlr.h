// For the parser: ANTLR's runtime and the generated parser.
#pragma once
#include "antlr4-runtime.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/grammar/SPLParser.h"
