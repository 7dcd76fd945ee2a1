// placeholder: removed when the first real file arrives
