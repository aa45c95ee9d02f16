# make run            install missing packages, build, and open the gallery
# make build          install missing packages, and build
# make test           install missing packages, build, and run the tests
# make torture        run the long tests: every text, signal and round
# make soak           type random keys for two hours, one a second, while a folder changes
# make sanitize       run random keys under the thread and address sanitizers (20 minutes)
# make fuzz           fuzz each parser for 60 seconds; SECONDS=300 for longer, TARGETS="text wire" for some
# make fuzz-corpus    keep what the fuzzer has found in Tests/Corpus, without inputs that reach nothing new
# make lint           check style and imports
# make format         format the sources
# make languages      add new texts of the interface to Resources/languages, and drop those that are gone
# make bench          measure speed and memory; PEERS=yes also measures other programs, PHOTOS=DIR uses your JPEGs
# make fidelity       measure the figures of docs/fidelity.md; PHOTOS=DIR, CHAFA=PATH for a second chafa
# make screenshot     take the screenshots of the README
# make check-install  test the installed program with the release build
# make deb            build a Debian package for this distribution
# make tarball        archive the installed program; the archive runs wherever it is unpacked
# make dist           archive the sources of the last commit
# make release        make all three, with their checksums
# make check-deb      check the Debian package, and install it in a new Debian 12 (as root)
# make check-bare     build and install in a new Debian 12 and 13, as the README says (as root); RELEASES="trixie" for one
# sudo make install   install what `make build` has built in /usr/local, or PREFIX=DIR
# sudo make uninstall
#
# PICTURES=no with run, build or install: leave out the image worker and its libraries, for text only

PREFIX ?= /usr/local
ARGS ?=
PICTURES ?= yes
SECONDS ?= 60
TARGETS ?= text catalog terminal wire remote metadata image video raw archive sidecar journal configuration \
  languages track webdav s3 immich
# The image worker and its plug-ins, without which the program shows text only.
image_programs := $(if $(filter no,$(PICTURES)),,tintype-pictures libtintype-vips.so libtintype-video.so \
  libtintype-raw.so libtintype-archive.so)
# The version of the program, which all packages have.
version = $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/tintype/Release.swift)
# The folder whose executables `make install` copies.
BUILT ?= .build/release
release := .build/release/tintype
programs := $(addprefix .build/release/,tintype $(image_programs))
sources := Package.swift $(shell find Sources Resources -type f)
# SwiftPM does not rebuild an import that the manifest does not name. That has led to a crash.
checks := --explicit-target-dependency-import-check error
# The names of source files are in the programs. Relative names make them equal, whatever the name of this folder is. The
# linker's build ID is a hash of everything, including what is stripped later.
relative_names := -Xlinker --build-id=none -Xswiftc -file-prefix-map -Xswiftc '$(CURDIR)=.' -Xcc '-ffile-prefix-map=$(CURDIR)=.'
# Without the program's own folder among those of libraries, the dynamic linker does not look there 30 times at each start.
swift_build := swift build --configuration release --static-swift-stdlib --disable-local-rpath $(checks) $(relative_names)

# The compiler and SwiftPM cache in the home folder, unless that is read-only.
ifneq ($(shell [ -w "$$HOME/.cache" ] || { [ ! -e "$$HOME/.cache" ] && [ -w "$$HOME" ]; } && echo yes),yes)
export XDG_CACHE_HOME := $(CURDIR)/.build/cache
endif

# The packages for building and running, and those that the tests add, by their names in Debian 12 and 13 and Ubuntu
# 24.04. tools/install-packages lists their purposes. libncurses-dev is what libncursesw5-dev is called now.
run_packages := binutils libstdc++-dev libxml2 ca-certificates libsqlite3-dev zlib1g-dev libncurses-dev ncurses-term pkg-config \
  libcurl4-openssl-dev libexempi-dev $(if $(filter no,$(PICTURES)),,libvips-dev libcairo2-dev libpango1.0-dev libjpeg-dev \
    libspng-dev libdeflate-dev libisal-dev libheif-plugin-aomenc? libopenexr-dev libtiff-dev libavformat-dev \
    libavcodec-dev libswscale-dev libjxl-dev libraw-dev libarchive-dev)
test_packages := libvterm-dev tzdata chafa openssl less python3 tmux mandoc groff-base zsh fish trash-cli \
  libarchive-tools openssh-server rclone apache2-bin python3-venv
bench_packages := python3 $(if $(filter yes,$(PEERS)),chafa exiv2 jhead libimage-exiftool-perl libvips-tools nnn timg fzf \
  python3-venv git gcc libchafa-dev libgdk-pixbuf-2.0-dev libavformat-dev libavcodec-dev libswscale-dev)
package_packages := dpkg-dev xz-utils
check_packages := lintian desktop-file-utils debootstrap
fidelity_packages := python3 python3-numpy python3-scipy python3-pil python3-venv chafa timg catimg libsixel-bin
# The programs to compare Tintype with that Debian doesn't have.
peers := .build/peers

.PHONY: run build test torture soak sanitize fuzz fuzz-corpus lint format languages bench fidelity screenshot install uninstall \
  check-install packages test-packages package-packages deb tarball dist release check-deb check-bare clean

run: build
	@$(release) $(ARGS)

build: $(programs)

# The product of libNAME.so is NAME.
$(programs): $(sources) | packages
	$(swift_build) --product $(patsubst lib%.so,%,$(@F))
	@touch $@

# The report at the end lists failed and skipped tests.
test: SHELL := /bin/bash
test: .SHELLFLAGS := -o pipefail -c
test: test-packages
	swift build --build-tests $(checks)
	swift test --skip-build $(checks) --event-stream-output-path .build/tests.events 2>&1 | tee .build/tests.log || \
	  { ./tools/test-report .build/tests.events .build/tests.log; exit 1; }
	@./tools/test-report .build/tests.events .build/tests.log

# The tests in their long form: every signal at every moment, every text in every field, hundreds of stops, and many
# kinds of slow lines.
torture: test-packages
	swift build --build-tests $(checks)
	TINTYPE_TORTURE=1 swift test --skip-build $(checks) --filter '[Tt]orture'

# The clock of two hours, which the long form of the same test leaves out.
soak: test-packages
	swift build --build-tests $(checks)
	TINTYPE_TORTURE=1 TINTYPE_PACE=1 swift test --skip-build $(checks) --filter LongDayFolderTests

# Only the program and its workers are built with the sanitizers. The tests read their reports.
sanitize: test-packages
	swift build --build-tests $(checks)
	for sanitizer in thread address; do \
	  for product in tintype tintype-pictures tintype-vips tintype-video tintype-raw tintype-archive; do \
	    swift build --sanitize $$sanitizer --scratch-path .build/$$sanitizer --product $$product $(checks) || exit 1; \
	  done; \
	  TINTYPE_TORTURE=1 TINTYPE_EXECUTABLE="$$PWD/.build/$$sanitizer/debug/tintype" \
	    swift test --skip-build $(checks) --filter LongDayTests || exit 1; \
	done

# An input that breaks a promise, or takes more than a minute or a gigabyte, is stored where `make test` finds it.
# The limit is a minute because this build is many times slower than the program, which allows ten seconds an image.
# TOMLKit never frees a table, so the target of settings takes a gigabyte for each million of inputs.
fuzz: packages
	for product in fuzz tintype-vips tintype-video tintype-raw tintype-archive; do \
	  TINTYPE_FUZZ=1 swift build --scratch-path .build/fuzz --product $$product $(checks) || exit 1; \
	done
	@for target in $(TARGETS); do echo "== $$target"; \
	  if [ $$target = configuration ]; then limit=16384; else limit=1024; fi; \
	  if [ ! -d .build/fuzz/corpus/$$target ]; then mkdir -p .build/fuzz/corpus/$$target; \
	    if [ -f Tests/Corpus/$$target.tar.xz ]; then tar -C .build/fuzz/corpus/$$target -xf Tests/Corpus/$$target.tar.xz; fi; fi; \
	  TINTYPE_FUZZ=$$target SWIFT_BACKTRACE=enable=no VIPS_WARNING=0 .build/fuzz/debug/fuzz -max_total_time=$(SECONDS) -timeout=60 \
	    -rss_limit_mb=$$limit -max_len=8192 -print_final_stats=1 \
	    -dict=Tests/Corpus/$$target.dict -artifact_prefix=Tests/Corpus/$$target/ \
	    .build/fuzz/corpus/$$target Tests/Corpus/$$target || exit 1; done

# Keeps the inputs that the fuzzer has found, without those that reach nothing new, for other machines.
fuzz-corpus:
	@for target in $(TARGETS); do [ -d .build/fuzz/corpus/$$target ] || continue; \
	  rm -rf .build/fuzz/merged; mkdir .build/fuzz/merged; \
	  TINTYPE_FUZZ=$$target SWIFT_BACKTRACE=enable=no VIPS_WARNING=0 .build/fuzz/debug/fuzz -merge=1 -timeout=60 -max_len=8192 \
	    .build/fuzz/merged .build/fuzz/corpus/$$target Tests/Corpus/$$target 2> .build/fuzz/merge.log || exit 1; \
	  tar -C .build/fuzz/merged --sort=name --mtime=@0 --owner=0 --group=0 -cJf Tests/Corpus/$$target.tar.xz . || exit 1; \
	  echo "$$target: $$(ls .build/fuzz/merged | wc -l) inputs, $$(stat -c %s Tests/Corpus/$$target.tar.xz) bytes"; done

packages:
	@./tools/install-packages $(run_packages)

test-packages:
	@./tools/install-packages $(run_packages) $(test_packages)
	@./tools/install-moto .build/moto

formatted := Package.swift Sources Tests Resources tools/check-sources.swift

lint:
	swift format lint --strict --recursive $(formatted)
	swift package dump-package | swift tools/check-sources.swift
	@# A plain task leaves the main actor for Dispatch's threads, which wake an idle process: see WorkerPool.
	@! grep -rnE '\bTask(\.detached|\.immediate)? *\{' Sources --include='*.swift' | grep -v '^Sources/WorkerPool/'

format:
	swift format --in-place --recursive $(formatted)

# Each text of the sources gets an entry, with an empty translation if it is new.
languages: test-packages
	swift build --build-tests $(checks)
	TINTYPE_RECORD=1 swift test --skip-build $(checks) --filter TranslationTests

bench: build
	$(swift_build) --product measure-finding
	$(swift_build) --product measure-rungs
	$(swift_build) --product measure-steps
	@./tools/install-packages $(bench_packages)
	@$(if $(filter yes,$(PEERS)),./tools/install-peers $(peers) termvisage pixelterm)
	@PATH="$(CURDIR)/$(peers)/bin:$$PATH" python3 tools/bench.py $(release)

# The figures and images of docs/fidelity.md. Debian's own Python has the packages.
fidelity: build
	@./tools/install-packages $(fidelity_packages)
	@./tools/install-peers $(peers) termvisage
	@PATH="$(CURDIR)/$(peers)/bin:$$PATH" CHAFA='$(CHAFA)' /usr/bin/python3 -B tools/fidelity.py $(release) $(if $(PHOTOS),'$(PHOTOS)')

# The screenshots of the README.
screenshot: build
	@./tools/install-packages xterm kitty libgl1-mesa-dri tmux xvfb xdotool imagemagick fonts-jetbrains-mono fontconfig libimage-exiftool-perl
	@./tools/screenshot $(release) docs

# The paths are quoted for the shell. It does not expand ~ in quotes, so this does.
root := $(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(PREFIX))
bin := '$(root)/bin'
libexec := '$(root)/libexec/tintype'
# Not share/tintype, because with PREFIX=~/.local that folder has the user's guestbook.
data := '$(root)/share/tintype-gallery'
documents := '$(root)/share/doc/tintype'
# The folder of the completions for zsh. Debian's packages have another one.
ZSH_FOLDER ?= share/zsh/site-functions
# The folders that several programs share, and the files there that the program or `make install` writes.
shared := bin share/applications share/icons/hicolor/scalable/apps share/man/man1 share/bash-completion/completions \
  $(ZSH_FOLDER) share/fish/vendor_completions.d
desktop_entry := '$(root)/share/applications/tintype.desktop'
icon := '$(root)/share/icons/hicolor/scalable/apps/tintype.svg'
manual := '$(root)/share/man/man1/tintype.1'
bash_completion := '$(root)/share/bash-completion/completions/tintype'
zsh_completion := '$(root)/$(ZSH_FOLDER)/_tintype'
fish_completion := '$(root)/share/fish/vendor_completions.d/tintype.fish'
generated := $(manual) $(bash_completion) $(zsh_completion) $(fish_completion)

install_program := install --strip --strip-program=tools/strip

# Installing does not build, because the PATH of sudo has no toolchain.
install:
	@[ -x '$(BUILT)/tintype' ] || { echo "tintype: nothing is built yet; run this first: make build$(if $(image_programs),, PICTURES=no)" >&2; exit 1; }
	rm -rf $(libexec) $(data) $(documents)
	for folder in $(shared); do [ -d '$(root)'/$$folder ] || install -d -m 755 '$(root)'/$$folder || exit 1; done
	install -d -m 755 $(if $(image_programs),$(libexec)) $(data)/photos $(data)/themes $(data)/languages $(data)/sheet $(data)/places $(documents)/docs/internals
	$(install_program) -m 755 '$(BUILT)/tintype' $(bin)/tintype
	$(if $(image_programs),$(install_program) -m 755 '$(BUILT)/tintype-pictures' $(libexec)/tintype-pictures)
	$(if $(image_programs),$(install_program) -m 644 '$(BUILT)/libtintype-vips.so' $(libexec)/libtintype-vips.so)
	$(if $(image_programs),$(install_program) -m 644 '$(BUILT)/libtintype-video.so' $(libexec)/libtintype-video.so)
	$(if $(image_programs),$(install_program) -m 644 '$(BUILT)/libtintype-raw.so' $(libexec)/libtintype-raw.so)
	$(if $(image_programs),$(install_program) -m 644 '$(BUILT)/libtintype-archive.so' $(libexec)/libtintype-archive.so)
	install -m 644 Resources/*.json Resources/CREDITS.tsv $(data)
	install -m 644 Resources/photos/* $(data)/photos
	install -m 644 Resources/themes/* $(data)/themes
	install -m 644 Resources/languages/* $(data)/languages
	install -m 644 Resources/sheet/* $(data)/sheet
	install -m 644 Resources/places/* $(data)/places
	install -m 644 LICENSE THIRD-PARTY.md $(documents)
	install -m 644 docs/*.md docs/*.json $(documents)/docs
	install -m 644 docs/internals/*.md $(documents)/docs/internals
	install -m 644 packaging/tintype.desktop $(desktop_entry)
	install -m 644 packaging/tintype.svg $(icon)
	rm -f $(generated)
	sed 's/@VERSION@/$(version)/' packaging/tintype.1 > $(manual)
	'$(BUILT)/tintype' --generate-completion-script bash > $(bash_completion)
	'$(BUILT)/tintype' --generate-completion-script zsh > $(zsh_completion)
	'$(BUILT)/tintype' --generate-completion-script fish > $(fish_completion)
	chmod 644 $(generated)

uninstall:
	rm -f $(bin)/tintype $(desktop_entry) $(icon) $(generated)
	rm -rf $(libexec) $(data) $(documents)

check-install: build test-packages
	TINTYPE_INSTALL=$(BUILT) swift test $(checks) --filter InstallTests

# The folder of the packages and archives.
out := .build/packages
# The time of the last commit, which all packaged files get. `git archive` writes it into the file for `make dist`.
commit_time = $(or $(shell grep -E '^[0-9]+$$' packaging/commit-time),$(shell git log -1 --format=%ct))
# The project has no public address yet. example.org is reserved, so it belongs to nobody.
MAINTAINER ?= The Tintype authors <tintype@example.org>
HOMEPAGE ?= https://example.org/tintype

package-packages: packages
	@./tools/install-packages $(package_packages)

deb: build package-packages
	rm -rf $(out)/deb $(out)/*.deb
	$(MAKE) install DESTDIR=$(out)/deb PREFIX=/usr ZSH_FOLDER=share/zsh/vendor-completions
	@MAINTAINER='$(MAINTAINER)' HOMEPAGE='$(HOMEPAGE)' SOURCE_DATE_EPOCH=$(commit_time) ./tools/build-deb $(out)/deb $(version) $(out)
	@rm -rf $(out)/deb

tarball: tarball_name = tintype-$(version)-linux-$(shell uname -m)
tarball: build package-packages
	rm -rf $(out)/tarball
	$(MAKE) install DESTDIR=$(out)/tarball PREFIX=/$(tarball_name)
	@SOURCE_DATE_EPOCH=$(commit_time) ./tools/build-tarball $(out)/tarball/$(tarball_name) $(version) $(out)
	@rm -rf $(out)/tarball

dist: dist_name = tintype-$(version)
dist:
	@mkdir -p $(out)
	git -c tar.umask=0022 archive --prefix=$(dist_name)/ HEAD | xz -9 -T1 > $(out)/$(dist_name).tar.xz
	@echo $(out)/$(dist_name).tar.xz

# The files of a release, which .github/workflows/release.yml attaches to a version's tag.
release:
	rm -rf $(out)
	$(MAKE) deb tarball dist
	cd $(out) && sha256sum *.deb *.tar.xz > SHA256SUMS

check-deb: deb
	@./tools/install-packages $(check_packages)
	@./tools/check-deb $(out)/tintype_*.deb

# The releases of Debian that `make check-bare` tries. TOOLCHAIN, GIT_CONFIG and MOUNTS are explained in tools/check-bare.
RELEASES ?= bookworm trixie
check-bare:
	@./tools/install-packages debootstrap
	@TOOLCHAIN='$(TOOLCHAIN)' GIT_CONFIG='$(GIT_CONFIG)' MOUNTS='$(MOUNTS)' ./tools/check-bare $(RELEASES)

clean:
	swift package clean
	rm -rf $(out)
