"""The folder for a hosting service: what git keeps, and front matter that fits the image."""

from pathlib import Path

import frontmatter
import pytest

from scripts.space import ROOT, main


def test_the_folder_has_all_files_and_says_the_images_port(tmp_path: Path):
    main(tmp_path / "space")
    readme = frontmatter.load(str(tmp_path / "space" / "README.md"))
    assert readme.metadata["sdk"] == "docker"
    assert f"EXPOSE {readme.metadata['app_port']}" in (ROOT / "Dockerfile").read_text("utf-8")
    assert readme.content.startswith("# ")
    assert (tmp_path / "space" / "app.py").is_file()
    assert not (tmp_path / "space" / ".git").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SystemExit, match="is not empty"):
        main(tmp_path)
