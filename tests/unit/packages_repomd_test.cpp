// SPDX-License-Identifier: GPL-2.0-or-later
#include "packages/repomd.hpp"

#include "packages/nesting.hpp"
#include "packages/repository.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string WHOLE = R"(<?xml version="1.0" encoding="UTF-8"?>
<repomd xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm">
  <revision>1</revision>
  <data type="primary">
    <checksum type="sha256">aa</checksum>
    <open-checksum type="sha256">bb</open-checksum>
    <location href="repodata/aa-primary.xml.zst"/>
    <size>12</size>
    <open-size>345</open-size>
  </data>
  <data type="filelists">
    <checksum type="sha512">cc</checksum>
    <location href="cc-filelists.xml.gz" xml:base="https://mirror.example/x/"/>
  </data>
</repomd>
)";

std::string without(const std::string & part, const std::string & replacement = {}) {
    std::string text = WHOLE;
    return text.replace(text.find(part), part.size(), replacement);
}

std::string refusal(const std::string & text) {
    try {
        parse_repomd(text, "https://x/repodata/repomd.xml");
        return "accepted";
    } catch (const UserError & error) {
        EXPECT_THAT(error.what(), HasSubstr("https://x/repodata/repomd.xml"));
        return error.what();
    }
}

TEST(PackagesRepomd, FilesWithChecksumsAndSizes) {
    const Repomd repomd = parse_repomd(WHOLE, "x");
    EXPECT_EQ(repomd.primary.href, "repodata/aa-primary.xml.zst");
    EXPECT_EQ(repomd.primary.base, "");
    EXPECT_EQ(repomd.primary.checksum.algorithm, "sha256");
    EXPECT_EQ(repomd.primary.checksum.hex, "aa");
    EXPECT_EQ(repomd.primary.size, 12U);
    EXPECT_EQ(repomd.primary.open_size, 345U);
    EXPECT_EQ(repomd.filelists.base, "https://mirror.example/x/");
    EXPECT_EQ(repomd.filelists.checksum.algorithm, "sha512");
    EXPECT_FALSE(repomd.filelists.open_size);
}

TEST(PackagesRepomd, WhatCannotBeUsedIsNamed) {
    EXPECT_THAT(refusal("<html><body>not found"), HasSubstr("not XML"));
    EXPECT_THAT(refusal(""), HasSubstr("not XML"));
    EXPECT_THAT(refusal("<html/>"), HasSubstr("no <repomd>"));
    EXPECT_THAT(
        refusal(without("\"filelists\"", "\"other\"")), AllOf(HasSubstr("filelists"), HasSubstr("createrepo_c")));
    EXPECT_THAT(refusal(without(R"(href="repodata/aa-primary.xml.zst")")), HasSubstr("where its \"primary\" is"));
    EXPECT_THAT(refusal(without(R"(<checksum type="sha256">aa</checksum>)")), HasSubstr("no checksum"));
    EXPECT_THAT(refusal(without("<size>12<", "<size>99999999999<")), HasSubstr("larger than is reasonable"));
    EXPECT_THAT(refusal(without("<open-size>345<", "<open-size>99999999999<")), HasSubstr("larger than is reasonable"));
    EXPECT_EQ(refusal(without("<size>12<", "<size>-12<")), "accepted") << "a size that is none is none";
}

TEST(PackagesRepomd, AddressesAsPeopleWriteThem) {
    EXPECT_EQ(repository_url("https://x.org/repo"), "https://x.org/repo/");
    EXPECT_EQ(repository_url("https://x.org"), "https://x.org/");
    EXPECT_EQ(repository_url("https://x.org/repo/repodata/repomd.xml"), "https://x.org/repo/");
    EXPECT_EQ(repository_url("https://x.org/repo/repodata/"), "https://x.org/repo/");
    EXPECT_EQ(repository_url("file:///a b/ö"), "file:///a%20b/%C3%B6/");
    EXPECT_THROW(repository_url("https://x.org/repo?x=1"), UserError);
    EXPECT_TRUE(is_repository("file:///x"));
    EXPECT_FALSE(is_repository("ftp://x"));
    EXPECT_FALSE(is_repository("/x"));
}

TEST(PackagesNesting, CountsWhatIsOpenSinceTheLastTag) {
    const std::string most(Nesting::MOST, '(');
    EXPECT_TRUE(Nesting().accepts(most));
    EXPECT_FALSE(Nesting().accepts(most + "("));
    EXPECT_TRUE(Nesting().accepts(most + "<(" + most.substr(1)));
    EXPECT_TRUE(Nesting().accepts(most + ")(" + std::string(3, ')') + "(("));
    EXPECT_TRUE(Nesting().accepts(std::string(5, ')') + most));

    Nesting in_parts;
    for (std::size_t i = 0; i < Nesting::MOST; ++i) {
        ASSERT_TRUE(in_parts.accepts(i % 2 == 0 ? "((a and " : ")")) << i;
    }
    EXPECT_TRUE(in_parts.accepts(std::string(Nesting::MOST / 2, '(')));
    EXPECT_FALSE(in_parts.accepts("("));
    EXPECT_FALSE(in_parts.accepts("<")) << "once is enough";
}

}  // namespace
}  // namespace bootbudget::packages
