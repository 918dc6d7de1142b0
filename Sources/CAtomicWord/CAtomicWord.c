#include "CAtomicWord.h"
