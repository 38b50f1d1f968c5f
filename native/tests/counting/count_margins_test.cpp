#include "support.hpp"

using namespace bitsep;

TEST_CASE("counting from margins") {
    check_way(Way::margins, false);
}
