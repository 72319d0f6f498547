"""Facts in LanceDB tables on S3. Imported by the function `lance` alone: the library takes two seconds to import."""
